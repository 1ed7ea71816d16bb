import { expect } from 'vitest'
import { sql } from 'kysely'
import type { Tx } from '../src/db/dialect.ts'
import { sealedPlaces } from '../src/rotation/sealed-places.ts'
import { checkedTables, type CheckedTable } from '../src/integrity/rules.ts'
import { walk, type Position } from '../src/integrity/walk.ts'
import type { Problem } from '../src/integrity/problem.ts'
import type { TestApp } from './app.ts'
import { createRandom, type Random } from './fuzz/random.ts'
import { makeWorld } from './sweep-world.ts'

/** Damages one value of a store at a time, as a seed says, and lets `check` find and repair it. */

type StoredRow = Record<string, unknown>

/** A vault with rows in every table that is checked. Returns them as they were before the last changes. */
export async function fillStore(test: TestApp): Promise<Snapshot> {
  const { user, key, memoryId, noteId, linkedMemoryId } = await makeWorld(test)
  const call = async (name: string, body: object) => {
    const { status, text, body: answer } = await test.call(name, body, { key })
    expect([status, text]).toEqual([status < 300 ? status : 200, text])
    return answer
  }
  const person = (name: string, body: object) =>
    test.call(name, { vaultId: user.vaultId, ...body }, { key: user.dashboardToken })
  const run = { agentRunId: 'night-shift', agentId: 'ada' }
  const write = (memory: object) => call('write-memory', { ...run, ...memory })
  const first = await write({ content: 'The ferry leaves at noon.', externalWriteId: 'ferry', entities: ['Ferry'] })
  await write({ content: 'The ferry leaves at one.', supersededById: first.memoryId, importance: 5 })
  await write({ content: 'Cranes are red.', expiresAt: '2099-01-01T00:00:00Z', summary: 'Cranes' })
  await person('update-memory', { id: linkedMemoryId, content: 'The cat sleeps on the pier.' })
  const { taskId } = await call('create-task', {
    title: 'Paint',
    assignedAgentId: 'ada',
    externalWriteId: 'paint',
    ...run,
  })
  await call('update-task', { taskId, status: 'done', comment: 'blue', ...run })
  const { noteId: pier } = await call('create-note', {
    title: 'Pier',
    content: 'See [[Cats]].',
    tags: ['Blue'],
    externalWriteId: 'pier',
    folderPath: 'Harbor/North',
  })
  await call('update-note', { noteId: pier, content: `See [[Cats]] and [[Gulls]].`, ...run })
  await call('update-note', { noteId, content: 'Cats see the [[Pier]].', ...run })
  await call('add-link', {
    sourceType: 'memory',
    sourceId: memoryId,
    targetType: 'note',
    targetId: pier,
    relationType: 'references',
    label: 'the pier',
  })
  const { messageId } = await call('send-message', {
    targetId: 'bea',
    content: 'The ferry is late.',
    externalWriteId: 'late',
    ...run,
  })
  await test.call('ack-message', { messageId, note: 'Thank you.', agentId: 'bea' }, { key })
  await call('ingest-turn', { role: 'user', content: 'The cat is asleep again.', ...run })
  await call('context-checkpoint', { ...run, agentId: 'ada', memories: [], sessionSummary: 'We painted the pier.' })
  for (const content of ['Be brief.', 'Be very brief.'])
    await person('update-document', { documentType: 'instructions', content })
  // Calls of runs are written a moment later.
  await expect.poll(async () => (await readStore(test)).get('runCalls')?.length).toBeGreaterThan(0)
  const former = await readStore(test)
  await person('update-memory', { id: memoryId, importance: 1 })
  await person('update-memory', { id: linkedMemoryId, content: 'The cat sleeps.' })
  await person('update-task', { taskId, status: 'todo', doneWhen: 'it is dry' })
  await call('update-note', { noteId: pier, content: 'See [[Cats]].', ...run })
  await call('update-note', { noteId, tags: ['old'], ...run })
  return former
}

export type Snapshot = ReadonlyMap<string, readonly StoredRow[]>

/** All tables that are checked, and what checks remember. */
const damagedTables: readonly CheckedTable[] = [
  ...checkedTables,
  ...sealedPlaces.filter(({ table }) => table === 'vaultDigests').map((sealed) => ({ ...sealed, sealed })),
]

/** All rows of all tables that are checked. */
async function readStore({ app }: TestApp): Promise<Snapshot> {
  const rows = new Map<string, StoredRow[]>()
  for (const { table } of damagedTables)
    rows.set(table, (await sql<StoredRow>`select * from ${sql.table(table)}`.execute(app.services.db.read)).rows)
  return rows
}

/** Puts the rows back. */
const restoreStore = ({ app }: TestApp, snapshot: Snapshot): Promise<void> =>
  app.services.db.write(async (tx) => {
    for (const [table, rows] of snapshot) {
      await sql`delete from ${sql.table(table)}`.execute(tx)
      for (const row of rows) await insert(tx, table, row)
    }
  })

const insert = (tx: Tx, table: string, row: StoredRow) => {
  const columns = Object.keys(row).map((column) => sql.ref(column))
  return sql`insert into ${sql.table(table)} (${sql.join(columns)}) values (${sql.join(Object.values(row))})`.execute(
    tx,
  )
}

interface Damage {
  table: string
  row: StoredRow
  /** Undefined if the whole row is lost. */
  column: string | undefined
  isSealed: boolean
  /** Of the column; of a whole row, the older row that takes its place. */
  value: unknown
}

interface OlderRow {
  table: string
  row: StoredRow
  former: StoredRow
}

/** The rows that have changed since. */
function listOlder(former: Snapshot, snapshot: Snapshot): OlderRow[] {
  return damagedTables.flatMap(({ table, key }) =>
    (snapshot.get(table) ?? []).flatMap((row) => {
      const before = former.get(table)?.find((one) => ['userId', ...key].every((name) => isEqual(one[name], row[name])))
      const isOlder = before !== undefined && Object.keys(row).some((name) => !isEqual(before[name], row[name]))
      return isOlder ? [{ table, row, former: before }] : []
    }),
  )
}

const isEqual = (one: unknown, other: unknown): boolean =>
  one instanceof Uint8Array && other instanceof Uint8Array ? Buffer.from(one).equals(other) : one === other

/** One byte of an encrypted value, a plain value, or a row: it is lost, or an older one is back. */
function chooseDamage(random: Random, snapshot: Snapshot, older: readonly OlderRow[]): Damage {
  if (older.length > 0 && random.percent(10)) {
    const { table, row, former } = random.pick(older as [OlderRow, ...OlderRow[]])
    return { table, row, column: undefined, isSealed: false, value: former }
  }
  const tables = damagedTables.filter(({ table }) => (snapshot.get(table)?.length ?? 0) > 0)
  const { table, sealed } = random.pick(tables as [CheckedTable, ...CheckedTable[]])
  const row = random.pick(snapshot.get(table) as [StoredRow, ...StoredRow[]])
  if (random.percent(10)) return { table, row, column: undefined, isSealed: false, value: undefined }
  const sealedColumns = (sealed?.columns ?? []).filter((column) => row[column] !== null)
  const plain = Object.keys(row).filter((column) => column !== 'userId' && !(sealed?.columns ?? []).includes(column))
  const isSealed = sealedColumns.length > 0 && random.percent(50)
  const column = random.pick((isSealed ? sealedColumns : plain) as [string, ...string[]])
  return { table, row, column, isSealed, value: change(random, column, row[column]) }
}

function change(random: Random, column: string, value: unknown): unknown {
  if (value instanceof Uint8Array) {
    const bytes = Buffer.from(value)
    const at = random.int(0, bytes.length - 1)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(0, 7))
    return bytes
  }
  if (typeof value === 'number')
    return random.percent(50) ? value + 1 : Math.max(value - 1, 0) === value ? value + 2 : Math.max(value - 1, 0)
  if (typeof value === 'string') {
    const at = random.int(0, Math.max(value.length - 1, 0))
    return value.slice(0, at) + (value[at] === 'a' ? 'b' : 'a') + value.slice(at + 1)
  }
  return column.endsWith('Tag') || column === 'replacedInRun'
    ? Buffer.alloc(16, random.int(1, 255))
    : /At$|^seq$/.test(column)
      ? 1_700_000_000_000
      : 'a'
}

/** False if the database refuses the damage, which so can't happen. */
async function inflict({ app }: TestApp, { table, row, column, value }: Damage): Promise<boolean> {
  const key = damagedTables.find((one) => one.table === table)?.key ?? []
  const isRow = sql.join(
    ['userId', ...key].map((name) => sql`${sql.ref(name)} = ${row[name]}`),
    sql` and `,
  )
  try {
    await app.services.db.write(async (tx) => {
      if (column === undefined) await sql`delete from ${sql.table(table)} where ${isRow}`.execute(tx)
      if (column === undefined && value !== undefined) await insert(tx, table, value as StoredRow)
      if (column !== undefined)
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value} where ${isRow}`.execute(tx)
    })
    return true
  } catch (error) {
    if (!/unique|constraint|invalid input|23505/i.test(String(error))) throw error
    return false
  }
}

/** Checks everything, page by page and without pauses, as while the server stops: nothing else needs the thread. */
export async function check({ app }: TestApp, repairs: boolean): Promise<Problem[]> {
  const problems: Problem[] = []
  let from: Position | undefined
  do {
    const part = await walk({ ...app.services, stopping: AbortSignal.abort() }, { repairs, vault: undefined, from }, 1)
    problems.push(...part.problems)
    from = part.next
  } while (from !== undefined)
  return problems
}

/**
 * What a check always notices, besides encrypted values: rows that are lost or older than before, by table, and plain columns that are also
 * said elsewhere, or that the last check has seen in this version. Nothing else in the store says how often something was read, or what a
 * person has set with a switch.
 */
const guaranteed = new Set(
  Object.entries({
    memories:
      'row older id vaultId type importance createdAt occurredAt expiresAt contentRevision externalTag changedById taskStatus assigneeTag ' +
      'confidence archivedAt supersedesId supersededById integrationId updatedAt',
    tasks: 'row older id vaultId status assigneeTag completedAt',
    notes: 'row older id vaultId folderId titleTag externalTag wordCount createdAt contentRevision trashedAt updatedAt',
    noteTags: 'row vaultId noteId tag',
    wikiTargets: 'row vaultId noteId titleTag',
    noteVersions: 'vaultId noteId version',
    memoryVersions: 'vaultId memoryId version',
    folders: 'id vaultId parentId nameTag version',
    links: 'vaultId sourceType sourceId targetType targetId relationType origin',
    indexEntries: 'row itemId vaultId kind type importance archived createdAt occurredAt expiresAt revision',
    memoryReads: 'vaultId memoryId',
    claimedWrites: 'vaultId id',
    extractionJobs: 'vaultId turnId',
    messages:
      'row id vaultId fromAgentId senderType targetId targetType category priority template parentMessageId threadId ' +
      'externalTag expiresAt createdAt integrationId',
    turns: 'id vaultId runTag',
    runs: 'id vaultId runTag agentTag headRevision',
    runCalls: 'id vaultId',
    documents: 'id vaultId version',
    documentVersions: 'vaultId documentId version',
    vaults: 'row version settingsVersion',
  }).flatMap(([table, columns]) => columns.split(' ').map((column) => `${table}.${column}`)),
)

const named = ({ table, recordId }: Problem): string => `${table} ${recordId}`

export interface Outcome {
  /** Damages after whose repair nothing is damaged, and those that cost what the repair names. */
  repaired: number
  lost: number
  /** Damages that a check can't notice. */
  unnoticed: number
}

/** Inflicts that many damages, one at a time. Each must be noticed if it can be, and be repaired or named. */
export async function tryDamages(
  test: TestApp,
  { seed, count, former }: { seed: number; count: number; former: Snapshot },
): Promise<Outcome> {
  const random = createRandom(seed)
  expect(await check(test, false)).toEqual([])
  const snapshot = await readStore(test)
  const older = listOlder(former, snapshot)
  expect(older.length).toBeGreaterThan(5)
  const outcome = { repaired: 0, lost: 0, unnoticed: 0 }
  for (let tried = 0; tried < count;) {
    const damage = chooseDamage(random, snapshot, older)
    if (!(await inflict(test, damage))) continue
    tried++
    outcome[await judge(test, damage)]++
    await restoreStore(test, snapshot)
  }
  return outcome
}

/** As the command does: a repair can show what another row needs. */
async function repairAll(test: TestApp): Promise<Problem[]> {
  const problems: Problem[] = []
  for (let pass = 1; pass < 4; pass++) {
    const found = await check(test, true)
    problems.push(...found)
    if (!found.some(({ state }) => state === 'repaired')) break
  }
  return problems
}

async function judge(test: TestApp, { table, row, column, isSealed, value }: Damage): Promise<keyof Outcome> {
  const name = `${table}.${column ?? (value === undefined ? 'row' : 'older')}`
  const found = await check(test, false)
  // Also a dry run says everything once.
  expect([name, found]).toEqual([name, [...new Map(found.map((one) => [JSON.stringify(one), one])).values()]])
  if (found.length === 0) {
    // Without settings, nothing is encrypted under their version.
    const isUnused = name === 'vaults.settingsVersion' && row['settings'] === null
    expect((isSealed || guaranteed.has(name)) && !isUnused ? `${name} was not noticed` : '').toBe('')
    return 'unnoticed'
  }
  const repaired = await repairAll(test)
  const left = await check(test, true)
  // A second run has nothing to repair, and what is left was named by the first one.
  expect([name, [...repaired, ...left].filter(({ state }) => state === 'repairable')]).toEqual([name, []])
  expect([name, left.filter(({ state }) => state !== 'lost')]).toEqual([name, []])
  const names = new Set([...found, ...repaired].map(named))
  expect([name, left.filter((problem) => !names.has(named(problem)))]).toEqual([name, []])
  return left.length === 0 ? 'repaired' : 'lost'
}
