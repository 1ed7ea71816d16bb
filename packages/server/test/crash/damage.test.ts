import { randomBytes, randomInt } from 'node:crypto'
import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sqliteFile } from '../../src/db/sqlite.ts'
import { eachDialect } from '../dialects.ts'
import { agentOf, wordFor, type Agent, type FoundMemory } from './agent.ts'
import { change } from './raw-store.ts'
import { setUp, siteFor, spawnServer, startServer, tempDir } from './server-process.ts'

const pageBytes = 4096
const memories = 80

interface Written {
  memoryId: string
  word: string
  content: string
}

async function writeSome(agent: Agent): Promise<Written[]> {
  const written: Written[] = []
  for (let number = 0; number < memories; number++) {
    const word = wordFor(number)
    const content = `${word} ${'and a good deal more of it. '.repeat(60)}`
    const { body } = await agent('write-memory', { content })
    written.push({ memoryId: body['memoryId'] as string, word, content })
  }
  return written
}

/** Pages of random bytes, anywhere except in the header, like lost sectors on a disk. */
function overwritePages(dataDir: string, count: number): void {
  const file = openSync(sqliteFile(dataDir), 'r+')
  const pages = statSync(sqliteFile(dataDir)).size / pageBytes
  for (let done = 0; done < count; done++) {
    writeSync(file, randomBytes(pageBytes), 0, pageBytes, randomInt(1, pages) * pageBytes)
  }
  closeSync(file)
}

const damaged = { status: 503, error: 'Temporarily unavailable: the database is damaged' }

/** The answer in a comparable form: its content, or its error. */
async function answerTo(agent: Agent, operation: string, body: object): Promise<unknown> {
  const reply = await agent(operation, body)
  if (reply.status !== 200) return { status: reply.status, error: reply.body['error'] }
  return (reply.body['memories'] as FoundMemory[]).map(({ memoryId, content }) => ({ memoryId, content }))
}

async function checkNothingWrong(agent: Agent, written: Written[]): Promise<void> {
  for (const { memoryId, word, content } of written) {
    const right = [{ memoryId, content }]
    expect([right, damaged]).toContainEqual(await answerTo(agent, 'read-memories', { memoryIds: [memoryId] }))
    expect([right, damaged]).toContainEqual(await answerTo(agent, 'search-memories', { query: word, topK: 1 }))
  }
}

describe('a database file whose pages are overwritten', () => {
  it('returns correct answers or 503 while it is in use, and is rejected with a clear error at the next start', async () => {
    const site = siteFor({ kind: 'sqlite', dir: tempDir() })
    const { agentKey } = await setUp(site)
    const first = await startServer(site)
    const written = await writeSome(agentOf(first, agentKey))
    await first.kill('SIGTERM')

    const second = await startServer(site)
    const agent = agentOf(second, agentKey)
    for (const pages of [1, 10, 100]) {
      overwritePages(site.dataDir, pages)
      await checkNothingWrong(agent, written)
      expect([201, 503]).toContain((await agent('write-memory', { content: 'one more' })).status)
    }
    await second.kill('SIGTERM')

    const third = spawnServer(site)
    expect(await third.exited).toEqual({ code: 1, signal: null })
    expect(third.output()).toMatch(/^The database .* is damaged or unreadable .* Put the last good backup in its place/)
  })
})

eachDialect('a memory whose row is missing in the database', (dialect) => {
  it('is not reported as one that never existed', async () => {
    const store = await dialect.freshUrl()
    const site = siteFor(store)
    const { agentKey } = await setUp(site)
    const first = await startServer(site)
    const { body } = await agentOf(first, agentKey)('write-memory', { content: `${wordFor(1)} once` })
    const id = body['memoryId'] as string
    await first.kill('SIGTERM')
    await change(store, `delete from "memories" where "id" = '${id}'`)
    const agent = agentOf(await startServer(site), agentKey)
    expect(await answerTo(agent, 'read-memories', { memoryIds: [id] })).toEqual(damaged)
    expect(await answerTo(agent, 'search-memories', { query: wordFor(1) })).toEqual(damaged)
    expect((await agent('archive-memory', { memoryId: id })).status).toBe(503)
  })
})
