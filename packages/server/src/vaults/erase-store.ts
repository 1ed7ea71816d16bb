import { sql } from 'kysely'
import type { VaultScope } from '../crypto/keys.ts'
import type { Database, Reader, Tx } from '../db/dialect.ts'
import { isWithin, type OwnerRange } from '../db/owner-range.ts'

/**
 * Erasing a vault. Its keys are deleted first: from that commit on, nothing in it can be read from the database, and every query skips
 * a vault without keys. The vault's row says that this was on purpose: a vault whose keys were lost keeps its rows, because a backup may have the keys. Backups that people asked for keep their copies of the keys. Its rows are deleted next, a few at a time, because a large vault would
 * block all other writes (1.3 s for 50,000 memories, November 2026). The vault's own row is deleted last, so that after a crash it
 * shows what is left to do.
 */

export async function destroyKeys(tx: Tx, userId: string, vaultId: string, at: number): Promise<void> {
  await tx.deleteFrom('vaultKeys').where('userId', '=', userId).where('scopeId', '=', vaultId).execute()
  for (const table of ['vaultGrants', 'vaultMembers', 'vaultInvitations'] as const)
    await tx.deleteFrom(table).where('userId', '=', userId).where('vaultId', '=', vaultId).execute()
  await tx
    .updateTable('vaults')
    .set({ isDefault: 0, erasedAt: at })
    .where('userId', '=', userId)
    .where('id', '=', vaultId)
    .execute()
  await tx
    .updateTable('integrations')
    .set({ primaryVaultId: null })
    .where('userId', '=', userId)
    .where('primaryVaultId', '=', vaultId)
    .execute()
}

/**
 * Each table with rows of vaults, and its primary key. Index entries are deleted before memories: to a call that read the keys
 * earlier, an entry without its memory would look like a damaged database.
 */
const contents = [
  ['indexEntries', ['userId', 'itemId']],
  ['memories', ['userId', 'id']],
  ['memoryReads', ['userId', 'vaultId', 'memoryId']],
  ['memoryVersions', ['userId', 'memoryId', 'version']],
  ['tasks', ['userId', 'id']],
  ['claimedWrites', ['userId', 'vaultId', 'externalTag']],
  ['notes', ['userId', 'id']],
  ['noteTags', ['userId', 'vaultId', 'tag', 'noteId']],
  ['noteVersions', ['userId', 'noteId', 'version']],
  ['wikiTargets', ['userId', 'vaultId', 'titleTag', 'noteId']],
  ['folders', ['userId', 'id']],
  ['links', ['userId', 'id']],
  ['indexSnapshots', ['userId', 'vaultId', 'seq', 'segment']],
  ['indexRemovals', ['userId', 'vaultId', 'seq', 'itemId']],
  ['messages', ['userId', 'id']],
  ['messageAcks', ['userId', 'vaultId', 'messageId', 'recipientType', 'recipientId']],
  ['sessionMarks', ['userId', 'vaultId', 'agentTag']],
  ['checkpoints', ['userId', 'vaultId', 'tag']],
  ['webhookDeliveries', ['userId', 'id']],
  ['webhooks', ['userId', 'id']],
  ['extractionJobs', ['userId', 'vaultId', 'turnId']],
  ['turns', ['userId', 'id']],
  ['runCalls', ['userId', 'vaultId', 'runId', 'id']],
  ['runs', ['userId', 'id']],
  ['agentSightings', ['userId', 'vaultId', 'agentTag']],
  ['documentVersions', ['userId', 'vaultId', 'documentId', 'version']],
  ['documents', ['userId', 'id']],
  ['importedRecords', ['userId', 'vaultId', 'importId', 'kind', 'recordId']],
  ['revertedRecords', ['userId', 'vaultId', 'recordId']],
  ['imports', ['userId', 'vaultId', 'importId']],
  ['reviewDecisions', ['userId', 'vaultId', 'kind', 'firstId', 'secondId']],
  ['proposals', ['userId', 'vaultId', 'id']],
  ['vaultMembers', ['userId', 'vaultId', 'memberId']],
  ['vaultInvitations', ['userId', 'vaultId', 'id']],
  ['vaultSizes', ['userId', 'vaultId', 'kind']],
  ['vaultMeasures', ['userId', 'vaultId']],
  ['vaultDigests', ['userId', 'vaultId', 'kind', 'fromAt', 'fromId']],
] as const

const rowsAtOnce = 500

/** Stops early, leaving rows, when `signal` is aborted. */
export async function eraseRows(db: Database, userId: string, vaultId: string, signal?: AbortSignal): Promise<void> {
  for (const [table, key] of contents) {
    let deleted = rowsAtOnce
    while (deleted === rowsAtOnce) {
      if (signal?.aborted === true) return
      deleted = await db.write((tx) => deleteSome(tx, table, key, { userId, vaultId }))
    }
  }
  await db.write(async (tx) => {
    await tx.deleteFrom('vaults').where('userId', '=', userId).where('id', '=', vaultId).execute()
    // Deletes what writes that read the keys earlier have added. No more can follow, because each needs the vault's row.
    for (const [table] of contents)
      await tx.deleteFrom(table).where('userId', '=', userId).where('vaultId', '=', vaultId).execute()
  })
  await db.overwriteDeleted?.()
}

async function deleteSome(
  tx: Tx,
  table: string,
  key: readonly string[],
  { userId, vaultId }: { userId: string; vaultId: string },
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where (${columns}) in (
      select ${columns} from ${sql.table(table)}
      where "userId" = ${userId} and "vaultId" = ${vaultId} limit ${rowsAtOnce}
    )`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** The vaults of these owners whose erasure has started but not finished. */
export const listUnfinished = (db: Reader, owners: OwnerRange): Promise<{ userId: string; id: string }[]> =>
  db
    .selectFrom('vaults as vault')
    .leftJoin('vaultKeys as key', (join) =>
      join.onRef('key.userId', '=', 'vault.userId').onRef('key.scopeId', '=', 'vault.id'),
    )
    .select(['vault.userId', 'vault.id'])
    .where(isWithin('vault.userId', owners))
    .where('vault.erasedAt', 'is not', null)
    .where('key.scopeId', 'is', null)
    .execute()

/**
 * Deletes what else refers to records that are deleted permanently or leave the vault: the imports that created them or were
 * reverted, and review decisions and proposals about them. Runs in the transaction that deletes the records; a few hundred at most.
 */
export async function forgetRecords(
  tx: Tx,
  { id, userId }: Pick<VaultScope, 'id' | 'userId'>,
  recordIds: readonly string[],
): Promise<void> {
  if (recordIds.length === 0) return
  for (const table of ['importedRecords', 'revertedRecords', 'proposals'] as const)
    await tx
      .deleteFrom(table)
      .where('userId', '=', userId)
      .where('vaultId', '=', id)
      .where('recordId', 'in', recordIds)
      .execute()
  await tx
    .deleteFrom('reviewDecisions')
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    .where((decision) => decision.or([decision('firstId', 'in', recordIds), decision('secondId', 'in', recordIds)]))
    .execute()
}
