import { randomUUID } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { expect, it } from 'vitest'
import { sha256InPieces } from '../../src/crypto/hash.ts'
import { sqliteFile } from '../../src/db/sqlite.ts'
import { measured, percent } from '../promises/measured.ts'
import { agentOf, readAll, searchFor, send, wordFor, type Agent } from './agent.ts'
import { runCommand, setUp, siteFor, startServer, tempDir, type Account, type Site } from './server-process.ts'

const gigabyte = 1e9
const maxMsPerGigabyte = 60_000
/** Two processes start, whatever the size of the backup. */
const startsMs = 3_000

const perBatch = 100

/** Each record has a word of its own, then text of 200 words. Every fourth is a note, ten times as long. */
function recordAt(number: number): Record<string, unknown> {
  const filler = Array.from({ length: 200 }, (_, at) => wordFor((number * 31 + at * 17) % 5_003)).join(' ')
  const content = `${ownWord(number)} is number ${number}. ${filler}`
  return isNote(number)
    ? { kind: 'note', title: `Note ${number}`, content: `${content} ${filler.repeat(9)}`, externalWriteId: `${number}` }
    : { kind: 'memory', content, externalWriteId: `${number}` }
}

const isNote = (number: number): boolean => number % 4 === 3
const ownWord = (number: number): string => wordFor(1_000_000 + number)

interface Filled {
  /** The ids of all records, by their numbers. */
  ids: string[]
  bytes: number
}

/** Imports records until the database has this size. */
async function fill(site: Site, { dashboardToken, vaultId }: Account, wantedBytes: number): Promise<Filled> {
  const server = await startServer(site)
  const importId = randomUUID()
  const file = sqliteFile(site.dataDir)
  const ids: string[] = []
  while (statSync(file).size < wantedBytes) {
    const records = Array.from({ length: perBatch }, (_, at) => recordAt(ids.length + at))
    const body = JSON.stringify({ vaultId, importId, records })
    const reply = await send(server, dashboardToken, '/api/imports/records', { method: 'POST', body })
    const results = reply.body['results'] as { status: string; recordId: string }[]
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['created']))
    ids.push(...results.map(({ recordId }) => recordId))
  }
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  return { ids, bytes: statSync(file).size }
}

/** The number of rows of each table, and a hash of all their values. Without the activity entry about the backup, which is written at any time during it. */
function digestTables(dataDir: string): Record<string, { rows: number; sha256: string }> {
  const db = new SqliteDatabase(sqliteFile(dataDir), { readonly: true, fileMustExist: true })
  try {
    const tables = db.prepare(`select "name" from sqlite_schema where "type" = 'table' order by 1`).pluck().all()
    return Object.fromEntries((tables as string[]).map((table) => [table, digestTable(db, table)]))
  } finally {
    db.close()
  }
}

function digestTable(db: SqliteDatabase.Database, table: string): { rows: number; sha256: string } {
  const hash = sha256InPieces()
  let rows = 0
  const all = `select * from "${table}" ${table === 'activity' ? `where "operation" <> 'create-backup'` : ''}`
  for (const row of db.prepare(all).raw().iterate() as Iterable<unknown[]>) {
    rows++
    for (const value of row) {
      const bytes = Buffer.isBuffer(value) ? value : Buffer.from(`${typeof value} ${String(value)}`)
      hash.update(Buffer.from(`${bytes.length}:`))
      hash.update(bytes)
    }
  }
  return { rows, sha256: hash.digest().toString('hex') }
}

/** What a search for its word finds first, and its content. */
async function findRecord(agent: Agent, number: number, id: string): Promise<{ id: unknown; content: unknown }> {
  if (!isNote(number)) {
    const [found] = await searchFor(agent, ownWord(number))
    const { memories } = await readAll(agent, [id])
    return { id: found?.memoryId, content: memories[0]?.content }
  }
  const found = (await agent('search-notes', { query: ownWord(number) })).body['notes'] as { noteId: string }[]
  const read = (await agent('read-notes', { noteIds: [id] })).body['notes'] as { content: string }[]
  return { id: found[0]?.noteId, content: read[0]?.content }
}

/** A few hundred records all over the vault are found by their words and read in full. Returns how many. */
async function checkRecords(agent: Agent, ids: readonly string[]): Promise<number> {
  const step = Math.max(1, Math.floor(ids.length / 300))
  const some = [...ids.entries()].filter(([number]) => number % step === 0)
  for (const [number, id] of some)
    expect(await findRecord(agent, number, id)).toEqual({ id, content: recordAt(number)['content'] })
  return some.length
}

const timed = async <T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> => {
  const began = performance.now()
  const value = await work()
  return { value, ms: performance.now() - began }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

it('a gigabyte is restored, whole and findable, within a minute', { timeout: 60 * 60_000 }, async () => {
  const site = siteFor({ kind: 'sqlite', dir: tempDir() })
  const account = await setUp(site)
  const filling = await timed(() => fill(site, account, (gigabyte * percent) / 100))
  const { ids, bytes } = filling.value
  const file = join(tempDir(), 'full.backup')
  // Before the command, which counts at its end what it encrypted.
  const before = digestTables(site.dataDir)
  const backup = await timed(() => runCommand(site, ['backup', file]))
  expect([backup.value.code, backup.value.output]).toEqual([0, expect.stringContaining('checked')])
  // A gigabyte less on the disk, and nothing left that the restored server could read by mistake.
  rmSync(site.dataDir, { recursive: true })

  const restored = siteFor({ kind: 'sqlite', dir: join(tempDir(), 'new') }, { keyDir: site.keyDir })
  const restore = await timed(() => runCommand(restored, ['restore', file]))
  expect([restore.value.code, restore.value.output]).toEqual([0, expect.stringContaining('Start the server')])
  const after = digestTables(restored.dataDir)
  const start = await timed(async () => {
    const agent = agentOf(await startServer(restored), account.agentKey)
    expect((await readAll(agent, ids.slice(0, 1))).memories).toMatchObject([{ content: recordAt(0)['content'] }])
    return agent
  })
  const search = await timed(() => searchFor(start.value, ownWord(0)))
  const checked = await checkRecords(start.value, ids)
  expect(after).toEqual(before)
  expect(restore.ms + start.ms).toBeLessThan(startsMs + (maxMsPerGigabyte * bytes) / gigabyte)
  measured({
    bytes,
    'rows, all as before': Object.values(after).reduce((sum, { rows }) => sum + rows, 0),
    'records read and found': checked,
    'backed up in': seconds(backup.ms),
    'restored in': seconds(restore.ms),
    'first read after the start in': seconds(start.ms),
    'first search in': seconds(search.ms),
  })
})
