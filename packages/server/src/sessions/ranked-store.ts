import type { Reader } from '../db/dialect.ts'
import { prepared, type Param } from '../db/prepared.ts'

/** Which records of a vault are worth telling an agent at its start: a few of many, by indexes alone. Opens none. */
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

const newest = prepared((db, param: Param<Newest>) =>
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
    .limit(param('limit')),
)

const importances = [5, 4, 3, 2, 1] as const

/** The most important live memories of these types, of equal importance the newest; at least `limit` where there are so many. */
export async function listMostImportant(
  db: Reader,
  scope: Scope,
  types: readonly string[],
  limit: number,
  at: number,
): Promise<RankedMemory[]> {
  const found: RankedMemory[] = []
  for (const importance of importances) {
    if (found.length >= limit) break
    for (const type of types) found.push(...(await newestOf(db, scope, { type, importance, at, limit })))
  }
  return found
}

/** The newest live memories of these types, newest first. */
export async function listNewest(
  db: Reader,
  scope: Scope,
  types: readonly string[],
  limit: number,
  at: number,
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

/** Of each status the newest so many are looked at: nobody works through a longer list. */
const tasksPerStatus = 500

/** The live tasks that are not done, with priority as importance, in no particular order. */
export async function listOpenTasks(
  db: Reader,
  { id, userId }: Scope,
  at: number,
): Promise<{ id: string; status: string; importance: number; updatedAt: number }[]> {
  const pages = openStatuses.map((status) =>
    db
      .selectFrom((inner) =>
        inner
          .selectFrom('tasks')
          .select(['id', 'userId', 'status'])
          .where('userId', '=', userId)
          .where('vaultId', '=', id)
          .where('status', '=', status)
          .orderBy('id', 'desc')
          .limit(tasksPerStatus)
          .as('task'),
      )
      .innerJoin('memories as memory', (join) =>
        join.onRef('memory.userId', '=', 'task.userId').onRef('memory.id', '=', 'task.id'),
      )
      .select(['memory.id', 'task.status', 'memory.importance', 'memory.updatedAt'])
      .where('memory.type', '=', 'task')
      .where('memory.archivedAt', 'is', null)
      .where('memory.supersededById', 'is', null)
      .where((where) => where.or([where('memory.expiresAt', 'is', null), where('memory.expiresAt', '>', at)]))
      .execute(),
  )
  return (await Promise.all(pages)).flat()
}

/** More are only said to be more. */
export const maxChanges = 1000

export interface ChangeCount {
  kind: string
  type: string
  archived: number
  isCreated: number
  count: number
}

/**
 * How many records changed after change number `seq`, by what they are now and whether they were created after
 * `createdAfter`. The counts add up to `maxChanges` + 1 at most.
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
