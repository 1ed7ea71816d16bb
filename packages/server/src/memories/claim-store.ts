import { exactTag } from '../crypto/hash.ts'
import { tagKeys, type VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import { importRoutes } from '../operation/writer.ts'
import { personsRoutes } from './authorship.ts'

/** An `externalWriteId` is unique among the records of one kind, so a repeated create-task never answers with a memory. */
export type ExternalKind = 'memory' | 'task'

/** The kind of a stored memory, by the route that wrote it: tasks are only those that were created as tasks. */
export const externalKindOf = ({ route }: { route?: string | undefined }): ExternalKind =>
  route !== undefined && taskRoutes.has(route) ? 'task' : 'memory'

const taskRoutes: ReadonlySet<string> = new Set(['create-task', personsRoutes.task, importRoutes.task])

/** How the keys begin that the server gives to memories found in turns. Callers can't use them, so no turn gets memories that weren't found in it. */
export const extractionKeys = 'ingest-turn:'

export const externalTag = ({ keys }: VaultScope, kind: ExternalKind, externalWriteId: string): Buffer =>
  exactTag(tagKeys(keys).exact, `${kind} externalWriteId`, externalWriteId)

export interface WrittenRecord {
  memoryId: string
  memoryType: string
  version: number
}

/** The record that the first write with this idempotency key stored, or the one that dedup returned for it. */
export async function findByExternalWriteId(
  db: Reader,
  scope: VaultScope,
  externalWriteId: string,
  kind: ExternalKind = 'memory',
): Promise<WrittenRecord | undefined> {
  const tag = externalTag(scope, kind, externalWriteId)
  const columns = ['memories.id as memoryId', 'memories.type as memoryType', 'memories.version'] as const
  const own = await db
    .selectFrom('memories')
    .select(columns)
    .where('memories.userId', '=', scope.userId)
    .where('memories.vaultId', '=', scope.id)
    .where('memories.externalTag', '=', tag)
    .executeTakeFirst()
  if (own !== undefined) return own
  return db
    .selectFrom('claimedWrites')
    .innerJoin('memories', (join) =>
      join.onRef('memories.userId', '=', 'claimedWrites.userId').onRef('memories.id', '=', 'claimedWrites.id'),
    )
    .select(columns)
    .where('claimedWrites.userId', '=', scope.userId)
    .where('claimedWrites.vaultId', '=', scope.id)
    .where('claimedWrites.externalTag', '=', tag)
    .executeTakeFirst()
}

/** The ids of the memories that were written with these keys, by key. Takes at most some hundreds of keys. */
export async function findWrittenMemories(
  db: Reader,
  scope: VaultScope,
  kind: ExternalKind,
  externalWriteIds: readonly string[],
): Promise<Map<string, string>> {
  if (externalWriteIds.length === 0) return new Map()
  const keys = new Map(externalWriteIds.map((key) => [externalTag(scope, kind, key).toString('hex'), key]))
  const tags = [...keys.keys()].map((tag) => Buffer.from(tag, 'hex'))
  const written = new Map<string, string>()
  for (const table of ['claimedWrites', 'memories'] as const) {
    const rows = await db
      .selectFrom(table)
      .select(['id', 'externalTag'])
      .where('userId', '=', scope.userId)
      .where('vaultId', '=', scope.id)
      .where('externalTag', 'in', tags)
      .execute()
    for (const { id, externalTag: tag } of rows) {
      const key = keys.get(Buffer.from(tag ?? []).toString('hex'))
      if (key !== undefined) written.set(key, id)
    }
  }
  return written
}

/** The keyed tags of the writes that were answered with this memory, because it said the same. As hexadecimal text. */
export async function listClaimedTags(
  db: Reader,
  { id, userId }: VaultScope,
  memoryId: string,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('claimedWrites')
    .select('externalTag')
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    .where('id', '=', memoryId)
    .execute()
  return new Set(rows.map((row) => Buffer.from(row.externalTag).toString('hex')))
}

/** Makes later writes with this key answer with `memoryId`. */
export async function claimWrite(
  tx: Tx,
  scope: VaultScope,
  memoryId: string,
  { externalWriteId, kind }: { externalWriteId: string; kind: ExternalKind },
): Promise<void> {
  await tx
    .insertInto('claimedWrites')
    .values({
      userId: scope.userId,
      vaultId: scope.id,
      externalTag: externalTag(scope, kind, externalWriteId),
      id: memoryId,
    })
    .execute()
}

/** Deletes the task state and the idempotency keys of memories that are deleted. */
export async function deleteTaskAndClaims(tx: Tx, scope: VaultScope, memoryIds: readonly string[]): Promise<void> {
  if (memoryIds.length === 0) return
  await tx.deleteFrom('tasks').where('userId', '=', scope.userId).where('id', 'in', memoryIds).execute()
  await tx.deleteFrom('claimedWrites').where('userId', '=', scope.userId).where('id', 'in', memoryIds).execute()
}
