import type { Reader } from '../db/dialect.ts'
import type { VaultCounts } from '../operation/context.ts'

export interface CountedVault extends VaultCounts {
  /** The first expiry of a memory that isn't archived, which may be over: from then on, the counts differ. Infinity if none expires. */
  until: number
}

/**
 * Counts the live records of each of these vaults. It reads indexes as large as the vaults (100,000 memories: 30 ms, November 2026), so
 * use `VaultCounting`, and do not call it in a transaction.
 */
export async function countRecords(
  db: Reader,
  userId: string,
  vaultIds: readonly string[],
  now: number,
): Promise<Map<string, CountedVault>> {
  if (vaultIds.length === 0) return new Map()
  const memories = await countMemories(db, userId, vaultIds, now)
  const openTasks = await countOpenTasks(db, userId, vaultIds, now)
  const notes = await countNotes(db, userId, vaultIds)
  return new Map(
    vaultIds.map((vaultId) => {
      const [memory, note] = [memories.get(vaultId), notes.get(vaultId)]
      const writes = [memory, note].flatMap((counted) => counted?.lastWriteAt ?? [])
      const counted = {
        memoryCount: memory?.live ?? 0,
        openTaskCount: openTasks.get(vaultId) ?? 0,
        noteCount: note?.live ?? 0,
        lastWriteAt: writes.length === 0 ? undefined : Math.max(...writes),
        until: memory?.nextExpiry ?? Infinity,
      }
      return [vaultId, counted]
    }),
  )
}

async function countMemories(db: Reader, userId: string, vaultIds: readonly string[], now: number) {
  const rows = await db
    .selectFrom('memories')
    .select(({ fn, eb, or }) => [
      'vaultId',
      fn
        .countAll<number>()
        .filterWhere('archivedAt', 'is', null)
        .filterWhere('supersededById', 'is', null)
        .filterWhere(or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
        .as('live'),
      fn.max('updatedAt').as('lastWriteAt'),
      fn.min('expiresAt').filterWhere('archivedAt', 'is', null).as('nextExpiry'),
    ])
    .where('userId', '=', userId)
    .where('vaultId', 'in', vaultIds)
    .groupBy('vaultId')
    .execute()
  return new Map(rows.map(({ vaultId, ...counted }) => [vaultId, counted]))
}

/** Live tasks that are not finished. */
async function countOpenTasks(db: Reader, userId: string, vaultIds: readonly string[], now: number) {
  const rows = await db
    .selectFrom('memories')
    .select(({ fn }) => ['vaultId', fn.countAll<number>().as('open')])
    .where('userId', '=', userId)
    .where('vaultId', 'in', vaultIds)
    .where('type', '=', 'task')
    .where('taskStatus', 'in', ['backlog', 'todo', 'in_progress', 'blocked'])
    .where('archivedAt', 'is', null)
    .where('supersededById', 'is', null)
    .where((memory) => memory.or([memory('expiresAt', 'is', null), memory('expiresAt', '>', now)]))
    .groupBy('vaultId')
    .execute()
  return new Map(rows.map(({ vaultId, open }) => [vaultId, open]))
}

async function countNotes(db: Reader, userId: string, vaultIds: readonly string[]) {
  const rows = await db
    .selectFrom('notes')
    .select(({ fn }) => [
      'vaultId',
      fn.countAll<number>().filterWhere('trashedAt', 'is', null).as('live'),
      fn.max('updatedAt').as('lastWriteAt'),
    ])
    .where('userId', '=', userId)
    .where('vaultId', 'in', vaultIds)
    .groupBy('vaultId')
    .execute()
  return new Map(rows.map(({ vaultId, ...counted }) => [vaultId, counted]))
}
