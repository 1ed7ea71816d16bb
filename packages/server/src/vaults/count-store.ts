import type { Reader } from '../db/dialect.ts'

export interface VaultCounts {
  memoryCount: number
  openTaskCount: number
  noteCount: number
}

/**
 * The number of live records in each vault; empty vaults are missing. `only` selects vaults. It reads an index as large as the
 * vaults (100,000 memories: 10 ms, November 2026), so do not call it in a transaction.
 */
export async function countRecords(
  db: Reader,
  userId: string,
  only: readonly string[] | undefined,
  now: number,
): Promise<Map<string, VaultCounts>> {
  if (only?.length === 0) return new Map()
  const rows = await db
    .selectFrom('memories')
    .select((count) => ['vaultId', count.fn.countAll<number>().as('count')])
    .where('userId', '=', userId)
    .$if(only !== undefined, (query) => query.where('vaultId', 'in', only ?? []))
    .where('archivedAt', 'is', null)
    .where('supersededById', 'is', null)
    .where((memory) => memory.or([memory('expiresAt', 'is', null), memory('expiresAt', '>', now)]))
    .groupBy('vaultId')
    .execute()
  const openTasks = await countOpenTasks(db, userId, only, now)
  const notes = await countNotes(db, userId, only)
  const memories = new Map(rows.map(({ vaultId, count }) => [vaultId, count]))
  return new Map(
    [...new Set([...memories.keys(), ...notes.keys()])].map((vaultId) => [
      vaultId,
      {
        memoryCount: memories.get(vaultId) ?? 0,
        openTaskCount: openTasks.get(vaultId) ?? 0,
        noteCount: notes.get(vaultId) ?? 0,
      },
    ]),
  )
}

/** Live tasks that are not finished. */
async function countOpenTasks(
  db: Reader,
  userId: string,
  only: readonly string[] | undefined,
  now: number,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('tasks')
    .innerJoin('memories', (join) =>
      join.onRef('memories.userId', '=', 'tasks.userId').onRef('memories.id', '=', 'tasks.id'),
    )
    .select((count) => ['tasks.vaultId', count.fn.countAll<number>().as('count')])
    .where('tasks.userId', '=', userId)
    .$if(only !== undefined, (query) => query.where('tasks.vaultId', 'in', only ?? []))
    .where('tasks.status', 'in', ['backlog', 'todo', 'in_progress', 'blocked'])
    .where('memories.type', '=', 'task')
    .where('memories.archivedAt', 'is', null)
    .where('memories.supersededById', 'is', null)
    .where((memory) => memory.or([memory('expiresAt', 'is', null), memory('expiresAt', '>', now)]))
    .groupBy('tasks.vaultId')
    .execute()
  return new Map(rows.map(({ vaultId, count }) => [vaultId, count]))
}

async function countNotes(
  db: Reader,
  userId: string,
  only: readonly string[] | undefined,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('notes')
    .select((count) => ['vaultId', count.fn.countAll<number>().as('count')])
    .where('userId', '=', userId)
    .$if(only !== undefined, (query) => query.where('vaultId', 'in', only ?? []))
    .where('trashedAt', 'is', null)
    .groupBy('vaultId')
    .execute()
  return new Map(rows.map(({ vaultId, count }) => [vaultId, count]))
}
