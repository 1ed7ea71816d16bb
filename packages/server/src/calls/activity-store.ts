import { sql } from 'kysely'
import { openText, sealText, type CellAddress } from '../crypto/cell.ts'
import { type BinaryId, idFromBytes, idToBytes, optionalIdFromBytes, optionalIdToBytes } from '../db/binary-ids.ts'
import type { Database, Reader, Tx } from '../db/dialect.ts'
import { isWithin, type OwnerRange } from '../db/owner-range.ts'
import { prepared, type Param } from '../db/prepared.ts'
import type { ActivityTable } from '../db/tables/calls.ts'
import type { ActivityClass } from './call.ts'
import type { Instance } from '../instance/instance.ts'

/** A row before it is sealed, with its ids as text. */
export interface NewEntry
  extends Omit<ActivityTable, 'id' | OptionalId | 'address'>, Record<OptionalId, string | null> {
  id: string
  address: string | undefined
}

type OptionalId = 'vaultId' | 'integrationId' | 'memberId' | 'credentialId' | 'recordId'

const insertOne = prepared((db, param: Param<ActivityTable>) =>
  db
    .insertInto('activity')
    .values({
      userId: param('userId'),
      id: param('id'),
      at: param('at'),
      vaultId: param('vaultId'),
      actor: param('actor'),
      integrationId: param('integrationId'),
      memberId: param('memberId'),
      credentialId: param('credentialId'),
      operation: param('operation'),
      class: param('class'),
      recordId: param('recordId'),
      recordKind: param('recordKind'),
      records: param('records'),
      calls: param('calls'),
      status: param('status'),
      address: param('address'),
    })
    // A commit whose acknowledgment was lost is written again.
    .onConflict((conflict) => conflict.columns(['userId', 'id']).doNothing()),
)

export async function insertEntry(tx: Tx, instance: Instance, { address, ...row }: NewEntry): Promise<void> {
  const sealed = address === undefined ? null : sealText(instance.keys, 'content', addressCell(instance, row), address)
  await insertOne.execute(tx, {
    ...row,
    id: idToBytes(row.id),
    vaultId: optionalIdToBytes(row.vaultId),
    integrationId: optionalIdToBytes(row.integrationId),
    memberId: optionalIdToBytes(row.memberId),
    credentialId: optionalIdToBytes(row.credentialId),
    recordId: optionalIdToBytes(row.recordId),
    address: sealed,
  })
}

function openEntry(instance: Instance, { address, ...row }: ActivityTable): NewEntry {
  const id = idFromBytes(row.id)
  const cell = addressCell(instance, { userId: row.userId, id })
  return {
    ...row,
    id,
    vaultId: optionalIdFromBytes(row.vaultId),
    integrationId: optionalIdFromBytes(row.integrationId),
    memberId: optionalIdFromBytes(row.memberId),
    credentialId: optionalIdFromBytes(row.credentialId),
    recordId: optionalIdFromBytes(row.recordId),
    address: address === null ? undefined : openText(instance.keys, 'content', cell, address),
  }
}

// The revision is always 1, because the cell is written once.
const addressCell = (instance: Instance, { userId, id }: Pick<NewEntry, 'userId' | 'id'>): CellAddress => ({
  userId,
  scopeId: instance.id,
  table: 'activity',
  rowId: id,
  column: 'address',
  revision: 1,
})

export interface Addition {
  userId: string
  id: string
  calls: number
  at: number
}

/** Adds calls to the count of a row. */
export async function addCalls(tx: Tx, { userId, id, calls, at }: Addition): Promise<void> {
  await tx
    .updateTable('activity')
    .set((row) => ({ calls: row('calls', '+', calls), at }))
    .where('userId', '=', userId)
    .where('id', '=', idToBytes(id))
    .execute()
}

export type Completion = Pick<NewEntry, 'userId' | 'id'> &
  Partial<Pick<NewEntry, 'recordId' | 'recordKind' | 'records' | 'status'>>

/** Adds what was known only after the call. */
export async function completeEntry(tx: Tx, { userId, id, recordId, ...known }: Completion): Promise<void> {
  await tx
    .updateTable('activity')
    .set({ ...known, ...(recordId !== undefined && { recordId: optionalIdToBytes(recordId) }) })
    .where('userId', '=', userId)
    .where('id', '=', idToBytes(id))
    .execute()
}

/** How long equal calls are counted on one row. */
export const countedTogetherMs = 60_000

/** Members are people, too, but only `member` finds them. */
type ActorFilter = ActivityTable['actor'] | 'member'

export interface ActivityFilter {
  actor?: ActorFilter | undefined
  integrationId?: string | undefined
  class?: string | undefined
  operation?: string | undefined
  vaultId?: string | undefined
  recordId?: string | undefined
  since?: number | undefined
  until?: number | undefined
  failed?: boolean | undefined
  /** False leaves them out. */
  heartbeats?: boolean | undefined
}

/** `lastFour` belongs to the key; null if it was deleted. */
export type ListedEntry = NewEntry & { lastFour: string | null }

/** Newest first. */
export async function listEntries(
  db: Reader,
  instance: Instance,
  userId: string,
  { filter, limit, offset }: { filter: ActivityFilter; limit: number; offset: number },
): Promise<{ entries: ListedEntry[]; total: number }> {
  const wanted = matching(db, userId, filter)
  // Rows are read in full for this page only. PostgreSQL finds their ids in an index.
  const page = await wanted.select('entry.id').orderBy('entry.id', 'desc').limit(limit).offset(offset).execute()
  const ids = page.map(({ id }) => id)
  // What few entries match is found by looking at all others, so a page that shows the end of the list isn't followed by a count.
  const isEnd = ids.length < limit && (ids.length > 0 || offset === 0)
  const total = isEnd ? offset + ids.length : await countMatching(wanted)
  return { entries: await readEntries(db, instance, userId, ids), total }
}

async function countMatching(wanted: ReturnType<typeof matching>): Promise<number> {
  const { total } = await wanted.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return total
}

async function readEntries(
  db: Reader,
  instance: Instance,
  userId: string,
  ids: readonly BinaryId[],
): Promise<ListedEntry[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('activity')
    .selectAll()
    .where('userId', '=', userId)
    .where('id', 'in', ids)
    .orderBy('id', 'desc')
    .execute()
  const entries = rows.map((row) => openEntry(instance, row))
  const keys = await findLastFours(db, userId, [...new Set(entries.flatMap(({ credentialId }) => credentialId ?? []))])
  return entries.map((entry) => ({ ...entry, lastFour: keys.get(entry.credentialId ?? '') ?? null }))
}

/** Ids of people's sessions and tokens aren't found. */
async function findLastFours(db: Reader, userId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const keys = await db
    .selectFrom('agentKeys')
    .select(['id', 'lastFour'])
    .where('userId', '=', userId)
    .where('id', 'in', ids)
    .execute()
  return new Map(keys.map(({ id, lastFour }) => [id, lastFour]))
}

/** The classes that the index `activity_class` leaves out, in the order of its condition. */
const commonClasses: readonly ActivityClass[] = ['content', 'read']

function matching(db: Reader, userId: string, filter: ActivityFilter) {
  const { actor, integrationId, operation, vaultId, recordId, since, until, failed } = filter
  let query = db.selectFrom('activity as entry').where('entry.userId', '=', userId)
  if (recordId !== undefined) query = query.where('entry.recordId', '=', idToBytes(recordId))
  if (actor !== undefined) query = query.where('entry.actor', '=', actor === 'member' ? 'person' : actor)
  if (actor === 'person') query = query.where('entry.memberId', 'is', null)
  if (actor === 'member') query = query.where('entry.memberId', 'is not', null)
  if (integrationId !== undefined) query = query.where('entry.integrationId', '=', idToBytes(integrationId))
  if (filter.class !== undefined) query = query.where('entry.class', '=', filter.class)
  // Literals that repeat the condition of a partial index, which applies then.
  if (actor !== undefined && actor !== 'agent') query = query.where('entry.actor', '<>', sql.lit('agent'))
  if (filter.class !== undefined && !commonClasses.some((each) => each === filter.class))
    query = query.where(
      'entry.class',
      'not in',
      commonClasses.map((each) => sql.lit(each)),
    )
  if (operation !== undefined) query = query.where('entry.operation', '=', operation)
  if (vaultId !== undefined) query = query.where('entry.vaultId', '=', idToBytes(vaultId))
  // An id is never older than its row's first call, so the index scan can start there. It may be much newer: ids only increase, even if
  // the clock goes back.
  if (since !== undefined)
    query = query.where('entry.at', '>=', since).where('entry.id', '>=', idToBytes(idAt(since - countedTogetherMs)))
  if (until !== undefined) query = query.where('entry.at', '<', until)
  if (failed !== undefined) query = query.where('entry.status', failed ? '>=' : '<', ({ lit }) => lit(400))
  if (filter.heartbeats === false) query = query.where('entry.operation', '<>', 'session-track')
  return query
}

/** How often this sign-in was refused with this status since then, and when last. */
export async function countRefusedSignIns(
  db: Reader,
  userId: string,
  { operation, status, since }: { operation: string; status: number; since: number },
): Promise<{ count: number; lastAt: number } | undefined> {
  const { count, lastAt } = await matching(db, userId, { class: 'sign-in', operation, since })
    .select(({ fn }) => [fn.sum<number | null>('entry.calls').as('count'), fn.max('entry.at').as('lastAt')])
    .where('entry.status', '=', status)
    .executeTakeFirstOrThrow()
  return count === null || lastAt === null ? undefined : { count, lastAt }
}

/** All rows with ids after `after`, also for calls to other processes. */
export async function listEntriesSince(db: Reader, userIds: readonly string[], after: string) {
  const found = await listEntriesAfter(db, userIds, after)
  for (let page = found; page.length === rowsAtOnce;) {
    page = await listEntriesAfter(db, userIds, page.at(-1)?.id ?? after)
    found.push(...page)
  }
  return found
}

async function listEntriesAfter(db: Reader, userIds: readonly string[], after: string) {
  const rows = await db
    .selectFrom('activity')
    .select(['userId', 'id', 'vaultId', 'operation', 'class', 'actor'])
    .where('userId', 'in', userIds)
    .where('id', '>', idToBytes(after))
    .orderBy('id')
    .limit(rowsAtOnce)
    .execute()
  return rows.map(({ id, vaultId, ...row }) => ({ ...row, id: idFromBytes(id), vaultId: optionalIdFromBytes(vaultId) }))
}

const rowsAtOnce = 500

/** Whether anything of the person was called since then, or a minute before. */
export async function hasEntriesSince(db: Reader, userId: string, since: number): Promise<boolean> {
  const entry = await db
    .selectFrom('activity')
    .select('id')
    .where('userId', '=', userId)
    .where('id', '>=', idToBytes(idAt(since - countedTogetherMs)))
    .where('at', '>=', since - countedTogetherMs)
    .limit(1)
    .executeTakeFirst()
  return entry !== undefined
}

/** The users whose entry with the oldest id is from before then. */
export async function listWithEntriesBefore(db: Reader, owners: OwnerRange, before: number): Promise<string[]> {
  const rows = await db
    .selectFrom('users as user')
    .select('user.id')
    .where(isWithin('user.id', owners))
    .where(
      (user) =>
        user
          .selectFrom('activity as entry')
          .select('entry.at')
          .whereRef('entry.userId', '=', 'user.id')
          .orderBy('entry.id')
          .limit(1),
      '<',
      before,
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes up to 500 of the person's older entries and returns how many. Skipping 500,000 entries that stay takes 0.1 s. */
export const purgeEntries = (db: Database, userId: string, before: number): Promise<number> =>
  db.write(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('activity')
      .where('userId', '=', userId)
      .where('id', 'in', (query) =>
        query
          .selectFrom('activity as old')
          .select('old.id')
          .where('old.userId', '=', userId)
          .where('old.at', '<', before)
          // Old entries come first. SQLite stores rows in this order, PostgreSQL has an index for it.
          .orderBy('old.id')
          .limit(rowsAtOnce),
      )
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  })

/** The smallest id for this time: the first 48 bits of ids are milliseconds. */
export function idAt(ms: number): string {
  const time = Math.max(0, ms).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}
