import { formerKeys, notFound } from '../../core/errors.ts'
import {
  asSealed,
  CellError,
  generationOf,
  headerBytes,
  openCell,
  sealCell,
  type CellAddress,
} from '../../crypto/cell.ts'
import type { VaultScope } from '../../crypto/keys.ts'
import type { Reader, Tx } from '../../db/dialect.ts'
import { prepared, type Param } from '../../db/prepared.ts'
import type { IndexEntriesTable } from '../../db/tables/vault-index.ts'
import { sql, type SelectQueryBuilder, type SqlBool } from 'kysely'
import type { Tables } from '../../db/schema.ts'

/**
 * The stored entries of a vault's index: written sealed, read and opened by change number, and removed. Every query filters by owner and
 * vault.
 */

/** What search filters by, as plain columns. */
export type StoredFacts = Pick<
  IndexEntriesTable,
  | 'kind'
  | 'type'
  | 'importance'
  | 'archived'
  | 'createdAt'
  | 'occurredAt'
  | 'expiresAt'
  | 'supersededAt'
  | keyof VectorFacts
>

/** Which model's vectors the record has, and whether it waits for vectors. */
export type VectorFacts = Pick<IndexEntriesTable, 'vectorsMissing' | 'vectorModel'>

export interface StoredEntry extends StoredFacts {
  itemId: string
  seq: number
  /** The opened plaintext of the entry; undefined if it is damaged. */
  entry: Buffer | undefined
}

const insertRow = prepared((db, param: Param<IndexEntriesTable>) =>
  db.insertInto('indexEntries').values({
    itemId: param('itemId'),
    userId: param('userId'),
    vaultId: param('vaultId'),
    seq: param('seq'),
    kind: param('kind'),
    type: param('type'),
    importance: param('importance'),
    archived: param('archived'),
    createdAt: param('createdAt'),
    occurredAt: param('occurredAt'),
    expiresAt: param('expiresAt'),
    supersededAt: param('supersededAt'),
    vectorsMissing: param('vectorsMissing'),
    vectorModel: param('vectorModel'),
    revision: param('revision'),
    entry: param('entry'),
  }),
)

/** Written in the record's own transaction, under the same change number. */
export async function insertEntry(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  { itemId, facts, entry }: { itemId: string; facts: StoredFacts; entry: Uint8Array },
): Promise<void> {
  const revision = 1
  await insertRow.execute(tx, {
    itemId,
    userId: scope.userId,
    vaultId: scope.id,
    seq,
    ...facts,
    revision,
    entry: sealEntry(scope, itemId, revision, entry),
  })
}

/** Without a new entry the sealed one is kept, because archiving, superseding and rating change no words. */
export async function updateEntry(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  { itemId, facts, entry }: { itemId: string; facts: Partial<StoredFacts>; entry?: Uint8Array | undefined },
): Promise<void> {
  const resealed = entry && (await resealEntry(tx, scope, itemId, entry))
  await tx
    .updateTable('indexEntries')
    .set({ seq, ...facts, ...resealed })
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('itemId', '=', itemId)
    .execute()
}

async function resealEntry(tx: Tx, scope: VaultScope, itemId: string, entry: Uint8Array) {
  const before = await tx
    .selectFrom('indexEntries')
    .select('revision')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('itemId', '=', itemId)
    .executeTakeFirstOrThrow()
  const revision = before.revision + 1
  return { revision, entry: sealEntry(scope, itemId, revision, entry) }
}

const sealEntry = (scope: VaultScope, itemId: string, revision: number, entry: Uint8Array) =>
  sealCell(scope.keys, 'index', entryAddress(scope, itemId, revision), entry)

/** The kinds of these records (`memory`, `note`). Ids that aren't in the vault are missing. */
export async function listKinds(db: Reader, scope: VaultScope, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('indexEntries')
    .select(['itemId', 'kind'])
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('itemId', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.itemId, row.kind]))
}

/** The entries changed after `seq`, opened as far as they open, oldest change first, page by page. */
export async function* entriesSince(db: Reader, scope: VaultScope, seq: number): AsyncGenerator<StoredEntry[]> {
  const query = db
    .selectFrom('indexEntries')
    .selectAll()
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
  for await (const rows of pagesSince(query, 'itemId', seq)) {
    const entries = rows.map(({ entry, revision, userId: _owner, vaultId: _vault, ...facts }) => ({
      ...facts,
      entry: openEntry(scope, { itemId: facts.itemId, revision, entry }),
    }))
    const damaged = rows.filter((_row, at) => entries[at]?.entry === undefined)
    if (damaged.length > 0) await refuseNewerEntries(db, scope, damaged)
    yield entries
  }
}

type SealedEntry = Pick<IndexEntriesTable, 'itemId' | 'revision' | 'entry'>

function openEntry(scope: VaultScope, { itemId, revision, entry }: SealedEntry): Buffer | undefined {
  try {
    return openCell(scope.keys, 'index', entryAddress(scope, itemId, revision), asSealed(entry))
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    return undefined
  }
}

/** Throws if entries don't open because a call was suspended until the vault's key was replaced. They aren't damaged. */
async function refuseNewerEntries(db: Reader, { id, userId, keys }: VaultScope, entries: readonly SealedEntry[]) {
  const stored = await db
    .selectFrom('vaultKeys')
    .select('generation')
    .where('userId', '=', userId)
    .where('scopeId', '=', id)
    .execute()
  const isNewer = (generation: number) =>
    !keys.generations.has(generation) && stored.some((key) => key.generation === generation)
  if (entries.some(({ entry }) => entry.length >= headerBytes && isNewer(generationOf(asSealed(entry)))))
    throw formerKeys()
}

/** The last change of a link. */
export interface LinkChange {
  seq: number
  sourceId: string
  targetId: string
  relationType: string
  /** Set if the link was removed. */
  removedAt: number | null
}

/** The links added and removed after `seq`, oldest change first, page by page. */
export const linksSince = (db: Reader, scope: VaultScope, seq: number): AsyncGenerator<LinkChange[]> => {
  const query = db
    .selectFrom('links')
    .select(['id', 'seq', 'sourceId', 'targetId', 'relationType', 'removedAt'])
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
  return pagesSince(query, 'id', seq)
}

export const entryAddress = ({ id, userId }: VaultScope, itemId: string, revision: number): CellAddress => ({
  userId,
  scopeId: id,
  table: 'indexEntries',
  rowId: itemId,
  column: 'entry',
  revision,
})

type Owner = Pick<VaultScope, 'id' | 'userId'>

/**
 * Deletes the entries of erased records and leaves removals, which tell every index to forget them. Runs in the transaction that erases
 * the records, under its change number; for a few hundred at most.
 */
export async function removeEntries(tx: Tx, { id, userId }: Owner, seq: number, itemIds: readonly string[]) {
  if (itemIds.length === 0) return
  await tx
    .deleteFrom('indexEntries')
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    .where('itemId', 'in', itemIds)
    .execute()
  await recordRemovals(tx, { id, userId }, seq, itemIds)
}

/** Says that these records were deleted on purpose. Also of messages, which no index has: a check must not miss them. */
export async function recordRemovals(
  tx: Tx,
  { id, userId }: Owner,
  seq: number,
  itemIds: readonly string[],
): Promise<void> {
  await tx
    .insertInto('indexRemovals')
    .values(itemIds.map((itemId) => ({ userId, vaultId: id, seq, itemId })))
    .execute()
}

/** The number of the vault's latest change. */
export async function getSeq(db: Reader, { id, userId }: Owner): Promise<number> {
  const vault = db.selectFrom('vaults').select('seq').where('userId', '=', userId).where('id', '=', id)
  return (await vault.executeTakeFirstOrThrow()).seq
}

/** Whether any record was erased after `seq`. */
export async function hasRemovalsSince(db: Reader, { id, userId }: Owner, seq: number): Promise<boolean> {
  const removal = await db
    .selectFrom('indexRemovals')
    .select('itemId')
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    .where('seq', '>', seq)
    .limit(1)
    .executeTakeFirst()
  return removal !== undefined
}

/** The records erased after `seq`, oldest first, page by page. */
export const removalsSince = (
  db: Reader,
  { id, userId }: Owner,
  seq: number,
): AsyncGenerator<{ seq: number; itemId: string }[]> => {
  const query = db
    .selectFrom('indexRemovals')
    .select(['seq', 'itemId'])
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
  return pagesSince(query, 'itemId', seq)
}

/** Deletes the removals of records that are back under their old ids, after erasure or a move. */
export async function forgetRemovals(tx: Tx, { id, userId }: Owner, itemIds: readonly string[]): Promise<void> {
  if (itemIds.length === 0) return
  await tx
    .deleteFrom('indexRemovals')
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    .where('itemId', 'in', itemIds)
    .execute()
}

// About 10 ms to open and decode entries; other requests run in between.
const pageRows = 500

/**
 * The rows changed after `seq`, oldest change first, page by page. One change may touch several rows (a memory and the one it
 * supersedes), so `idColumn` breaks ties.
 */
export async function* pagesSince<T extends keyof Tables, Row extends { seq: number }>(
  query: SelectQueryBuilder<Tables, T, Row>,
  idColumn: keyof Row & string,
  seq: number,
) {
  const [seqRef, idRef] = [sql.ref('seq'), sql.ref(idColumn)]
  let after: { seq: number; id: unknown } = { seq: seq + 1, id: '' }
  while (true) {
    const rows = await query
      // As a pair, because SQLite can't use the index for an `or` with parameters and would read the whole vault.
      .where(sql<SqlBool>`(${seqRef}, ${idRef}) > (${after.seq}, ${after.id})`)
      .orderBy(seqRef)
      .orderBy(idRef)
      .limit(pageRows)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    if (rows.length < pageRows) return
    after = { seq: last.seq, id: last[idColumn as keyof typeof last] }
  }
}

/**
 * Serializes the transaction with the writes to this vault, without a change number. Throws if there is no such vault, so nothing is
 * written to one that was erased, and if the keys must not seal any more, so what the transaction seals stays readable.
 */
export async function lockVault(tx: Tx, scope: VaultScope): Promise<void> {
  if (!(await lockToSeal(tx, scope))) await refuseVault(tx, scope)
}

/** The same, but returns false instead of throwing. */
export async function lockToSeal(tx: Tx, scope: VaultScope): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('vaults')
    .set((vault) => ({ seq: vault.ref('seq') }))
    .where('userId', '=', scope.userId)
    .where('id', '=', scope.id)
    .where('minGeneration', '<=', scope.keys.current)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether there is such a vault, and these keys may still seal. */
export async function maySeal(db: Reader, { id, userId, keys }: VaultScope): Promise<boolean> {
  const vault = await db
    .selectFrom('vaults')
    .select('id')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where('minGeneration', '<=', keys.current)
    .executeTakeFirst()
  return vault !== undefined
}

/**
 * Throws the reason why a vault's row wasn't found under the condition that its keys may seal. If it is there, the call was suspended for
 * so long that the key that seals its values is being deleted. A repeated call gets the vault's new key.
 */
export async function refuseVault(tx: Tx, { id, userId }: Pick<VaultScope, 'id' | 'userId'>): Promise<never> {
  const vault = tx.selectFrom('vaults').select('id').where('userId', '=', userId).where('id', '=', id)
  throw (await vault.executeTakeFirst()) === undefined ? notFound('Vault') : formerKeys()
}

/** `lockVault` for a transaction that seals nothing. False if there is no such vault. */
export async function lockVaultRow(tx: Tx, userId: string, vaultId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('vaults')
    .set((vault) => ({ seq: vault.ref('seq') }))
    .where('userId', '=', userId)
    .where('id', '=', vaultId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
