import { asSealed, openCell, sealCell, type CellAddress } from '../crypto/cell.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import { prepared, type Param } from '../db/prepared.ts'
import type { IndexEntriesTable } from '../db/tables/vault-index.ts'
import { pagesSince } from './page-store.ts'

/** The entries of a vault's index, sealed and opened. Every query names the owner and the vault. */

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

/** Whose vectors the record has, and whether it waits for some. */
export type VectorFacts = Pick<IndexEntriesTable, 'vectorsMissing' | 'vectorModel'>

export interface StoredEntry extends StoredFacts {
  itemId: string
  seq: number
  /** The opened plaintext of the entry. */
  entry: Buffer
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

/** Written in the transaction of the record that it indexes, under that transaction's change number. */
export async function insertEntry(
  tx: Tx,
  scope: VaultScope,
  itemId: string,
  seq: number,
  facts: StoredFacts,
  entry: Uint8Array,
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

/** Without a new entry the sealed one stays: archiving, superseding and rating change no word of it. */
export async function updateEntry(
  tx: Tx,
  scope: VaultScope,
  itemId: string,
  seq: number,
  facts: Partial<StoredFacts>,
  entry?: Uint8Array,
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

/** What kinds of record these ids are in the vault (`memory`, `note`); ids that it does not hold are missing. */
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

/** The entries changed after `seq`, oldest change first, a page at a time and opened. */
export async function* entriesSince(db: Reader, scope: VaultScope, seq: number): AsyncGenerator<StoredEntry[]> {
  const query = db
    .selectFrom('indexEntries')
    .selectAll()
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
  for await (const rows of pagesSince(query, 'itemId', seq))
    yield rows.map(({ entry, revision, userId: _owner, vaultId: _vault, ...facts }) => ({
      ...facts,
      entry: openCell(scope.keys, 'index', entryAddress(scope, facts.itemId, revision), asSealed(entry)),
    }))
}

/** A link as an index learns of it: its last change. */
export interface LinkChange {
  seq: number
  sourceId: string
  targetId: string
  relationType: string
  /** Set where the change was its removal. */
  removedAt: number | null
}

/** The links made and removed after `seq`, oldest change first, a page at a time. */
export const linksSince = (db: Reader, scope: VaultScope, seq: number): AsyncGenerator<LinkChange[]> => {
  const query = db
    .selectFrom('links')
    .select(['id', 'seq', 'sourceId', 'targetId', 'relationType', 'removedAt'])
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
  return pagesSince(query, 'id', seq)
}

const entryAddress = ({ id, userId }: VaultScope, itemId: string, revision: number): CellAddress => ({
  userId,
  scopeId: id,
  table: 'indexEntries',
  rowId: itemId,
  column: 'entry',
  revision,
})
