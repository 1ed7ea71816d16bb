// Calls a running server like an agent: over HTTP, with a key.

import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningServer } from './server-process.ts'

export interface Reply {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

export type Agent = (operation: string, body: object) => Promise<Reply>

const timeoutMs = 60_000
const retryMs = 200

/** Rejects if the answer is incomplete: then it is unknown whether a write happened. */
export const agentOf =
  (server: Pick<RunningServer, 'url'>, key: string): Agent =>
  (operation, body) =>
    send(server, key, `/api/agent/${operation}`, { method: 'POST', body: JSON.stringify(body) })

/** Tries again as clients do while the server says that it can't answer now. Only for calls that may be repeated. */
export const patient =
  (agent: Agent): Agent =>
  async (operation, body) => {
    for (;;) {
      const reply = await agent(operation, body)
      if (reply.status !== 503) return reply
      await sleep(retryMs)
    }
  }

/** Any request with a key or token in its header. */
export async function send(
  { url }: Pick<RunningServer, 'url'>,
  key: string,
  path: string,
  init: { method: string; body?: string; headers?: Record<string, string> },
): Promise<Reply> {
  const response = await fetch(url + path, {
    ...init,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...init.headers },
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: JSON.parse(text) as Reply['body'] }
}

export interface FoundMemory {
  memoryId: string
  content: string
  relatedMemories: { memoryId: string }[]
}

/** Reads any number of memories, with as many per call as allowed. */
export async function readAll(agent: Agent, ids: string[]): Promise<{ memories: FoundMemory[]; notFound: string[] }> {
  const memories: FoundMemory[] = []
  const notFound: string[] = []
  for (let at = 0; at < ids.length; at += 50) {
    const { status, body } = await agent('read-memories', { memoryIds: ids.slice(at, at + 50) })
    if (status !== 200) throw new Error(`read-memories answered ${status}: ${JSON.stringify(body)}`)
    memories.push(...(body['memories'] as FoundMemory[]))
    notFound.push(...(body['notFound'] as string[]))
  }
  return { memories, notFound }
}

export async function searchFor(agent: Agent, query: string): Promise<FoundMemory[]> {
  const { status, body } = await agent('search-memories', { query, topK: 3 })
  if (status !== 200) throw new Error(`search-memories answered ${status}: ${JSON.stringify(body)}`)
  return body['memories'] as FoundMemory[]
}

const consonants = 'bdfgklmnprtvz'
const vowels = 'aiou'

/** A word of no language that no stemmer shortens: a different one for each number below 7,311,616. */
export function wordFor(number: number): string {
  let word = 'q'
  for (let rest = number, at = 0; at < 4; at++, rest = Math.floor(rest / 52)) {
    word += (consonants[rest % 13] ?? '') + (vowels[Math.floor(rest / 13) % 4] ?? '')
  }
  return `${word}x`
}
