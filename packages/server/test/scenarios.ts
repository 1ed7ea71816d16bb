import { expect } from 'vitest'
import type { Answer, CallOptions, TestApp } from './app.ts'
import { makeAgent, makeUser, type IntegrationOverrides, type TestUser } from './factories.ts'

/** One agent of one person, and the few calls that most scenarios use. */
export interface TestAgent {
  user: TestUser
  key: string
  call(name: string, body?: unknown, options?: CallOptions): Promise<Answer>
  /** Writes a memory, which must succeed, and returns its id. */
  write(memory: string | Record<string, unknown>): Promise<string>
  /** The record of a memory that must exist. */
  read(memoryId: string): Promise<Record<string, unknown>>
  /** Ids of the hits of a search, best first. */
  search(query: string, more?: Record<string, unknown>): Promise<string[]>
}

export async function startAgent(
  test: TestApp,
  over: IntegrationOverrides & { user?: TestUser } = {},
): Promise<TestAgent> {
  const user = over.user ?? (await makeUser(test))
  const key = await makeAgent(test, user, over)
  const call: TestAgent['call'] = (name, body, options) => test.call(name, body, { key, ...options })
  return {
    user,
    key,
    call,
    async write(memory) {
      const { status, body, text } = await call(
        'write-memory',
        typeof memory === 'string' ? { content: memory } : memory,
      )
      expect([201, text]).toEqual([status, text])
      return String(body.memoryId)
    },
    async read(memoryId) {
      const { body, text } = await call('read-memories', { memoryIds: [memoryId] })
      const [memory] = body.memories as Record<string, unknown>[]
      expect(memory, text).toBeDefined()
      return memory ?? {}
    },
    async search(query, more = {}) {
      const { status, body, text } = await call('search-memories', { query, ...more })
      expect([200, text]).toEqual([status, text])
      return (body.memories as { memoryId: string }[]).map(({ memoryId }) => memoryId)
    },
  }
}

/** A clock that stays still until the test moves it. */
export function makeClock(at = Date.parse('2026-11-21T09:00:00.000Z')) {
  let now = at
  return {
    now: () => now,
    iso: (offsetMs = 0) => new Date(now + offsetMs).toISOString(),
    advance(ms: number) {
      now += ms
    },
  }
}

export const ascending = (a: number, b: number): number => a - b
