import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reader } from '../db/dialect.ts'
import { prepared, type Param } from '../db/prepared.ts'

/** Selects the records of a vault for session-start. Uses indexes only and opens no record. */
interface Scope {
  id: string
  userId: string
}

export interface RankedMemory {
  id: string
  type: string
  importance: number
  occurredAt: number
}

interface Newest {
  userId: string
  vaultId: string
  type: string
  importance: number
  at: number
  limit: number
}

const selectNewest = (db: Reader, param: Param<Newest>) =>
  db
    .selectFrom('memories')
    .select(['id', 'type', 'importance', 'occurredAt'])
    .where('userId', '=', param('userId'))
    .where('vaultId', '=', param('vaultId'))
    .where('type', '=', param('type'))
    .where('importance', '=', param('importance'))
    .where('archivedAt', 'is', null)
    .where('supersededById', 'is', null)
    .where((where) => where.or([where('expiresAt', 'is', null), where('expiresAt', '>', param('at'))]))
    .orderBy('occurredAt', 'desc')
    .limit(param('limit'))

const newest = prepared(selectNewest)
const newestByPeople = prepared((db, param: Param<Newest>) =>
  selectNewest(db, param).where('integrationId', 'is', null),
)

const importances = [5, 4, 3, 2, 1] as const

/**
 * The most important live memories of these types, newest first within an importance. At least `limit`, if that many exist. `byPeople`:
 * only those that a person wrote or imported.
 */
export async function listMostImportant(
  db: Reader,
  { id: vaultId, userId }: Scope,
  types: readonly string[],
  { limit, at, byPeople = false }: { limit: number; at: number; byPeople?: boolean },
): Promise<RankedMemory[]> {
  const query = byPeople ? newestByPeople : newest
  const found: RankedMemory[] = []
  for (const importance of importances) {
    if (found.length >= limit) break
    for (const type of types) found.push(...(await query.execute(db, { userId, vaultId, type, importance, at, limit })))
  }
  return found
}

/** The newest live memories of these types, newest first. */
export async function listNewest(
  db: Reader,
  scope: Scope,
  types: readonly string[],
  { limit, at }: { limit: number; at: number },
): Promise<RankedMemory[]> {
  if (limit === 0) return []
  const found: RankedMemory[] = []
  for (const type of types)
    for (const importance of importances) found.push(...(await newestOf(db, scope, { type, importance, at, limit })))
  return found.toSorted(byAge).slice(0, limit)
}

const newestOf = (db: Reader, { id, userId }: Scope, part: Omit<Newest, 'userId' | 'vaultId'>) =>
  newest.execute(db, { userId, vaultId: id, ...part })

export const byAge = (a: RankedMemory, b: RankedMemory): number => b.occurredAt - a.occurredAt || (a.id < b.id ? 1 : -1)

export const openStatuses = ['in_progress', 'todo', 'blocked', 'backlog'] as const

export interface OpenTask {
  id: string
  status: string
  importance: number
  updatedAt: number
}

/** Tasks read in one step. A step takes about 5 ms; other requests run in between. */
const tasksAtOnce = 5000

/** Live open tasks: the most urgent of each status, with ties in favor of the last changed. */
export async function listOpenTasks(db: Reader, scope: Scope, at: number, limit: number): Promise<OpenTask[]> {
  const found = openStatuses.map((status) => listOfStatus(db, scope, { status, at, limit }))
  return (await Promise.all(found)).flat()
}

interface OfStatus {
  status: string
  at: number
  limit: number
}

/** Reads all tasks of the status, because no index has liveness or urgency. */
async function listOfStatus(db: Reader, scope: Scope, asked: OfStatus): Promise<OpenTask[]> {
  let best: OpenTask[] = []
  let before: string | undefined
  while (true) {
    const last = await findPageEnd(db, scope, asked.status, before)
    best = [...best, ...(await listPage(db, scope, asked, { before, last }))].toSorted(byUrgency).slice(0, asked.limit)
    if (last === undefined) return best
    before = last
    await nextTurn()
  }
}

/** The last of the next `tasksAtOnce` ids below `before`; undefined if the rest fits in one page. */
async function findPageEnd(
  db: Reader,
  { id, userId }: Scope,
  status: string,
  before: string | undefined,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('tasks')
    .select('id')
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    .where('status', '=', status)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .offset(tasksAtOnce - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

const listPage = (
  db: Reader,
  { id, userId }: Scope,
  { status, at, limit }: OfStatus,
  { before, last }: { before: string | undefined; last: string | undefined },
): Promise<OpenTask[]> =>
  db
    .selectFrom('tasks as task')
    .innerJoin('memories as memory', (join) =>
      join.onRef('memory.userId', '=', 'task.userId').onRef('memory.id', '=', 'task.id'),
    )
    .select(['memory.id', 'task.status', 'memory.importance', 'memory.updatedAt'])
    .where('task.userId', '=', userId)
    .where('task.vaultId', '=', id)
    .where('task.status', '=', status)
    .$if(before !== undefined, (query) => query.where('task.id', '<', before ?? ''))
    .$if(last !== undefined, (query) => query.where('task.id', '>=', last ?? ''))
    .where('memory.type', '=', 'task')
    .where('memory.archivedAt', 'is', null)
    .where('memory.supersededById', 'is', null)
    .where((where) => where.or([where('memory.expiresAt', 'is', null), where('memory.expiresAt', '>', at)]))
    .orderBy('memory.importance', 'desc')
    .orderBy('memory.updatedAt', 'desc')
    .orderBy('memory.id', 'desc')
    .limit(limit)
    .execute()

export const byUrgency = (a: OpenTask, b: OpenTask): number =>
  b.importance - a.importance || b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1)

/** Changes beyond this number aren't counted. */
export const maxChanges = 1000

export interface ChangeCount {
  kind: string
  type: string
  archived: number
  isCreated: number
  count: number
}

/**
 * Counts the records that changed after `seq`, grouped by their current state and by whether they were created after
 * `createdAfter`. The counts add up to at most `maxChanges` + 1.
 */
export function countChanged(
  db: Reader,
  { id, userId }: Scope,
  seq: number,
  createdAfter: number,
): Promise<ChangeCount[]> {
  return db
    .selectFrom((inner) =>
      inner
        .selectFrom('indexEntries')
        .select(({ eb }) => [
          'kind',
          'type',
          'archived',
          eb.case().when('createdAt', '>', createdAfter).then(1).else(0).end().as('isCreated'),
        ])
        .where('userId', '=', userId)
        .where('vaultId', '=', id)
        .where('seq', '>', seq)
        .orderBy('seq')
        .limit(maxChanges + 1)
        .as('changed'),
    )
    .select(({ fn }) => ['kind', 'type', 'archived', 'isCreated', fn.countAll<number>().as('count')])
    .groupBy(['kind', 'type', 'archived', 'isCreated'])
    .execute()
}
