import { isDamage } from '../auth/scope-key-store.ts'
import { asSealed, openCell } from '../crypto/cell.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { IndexEntriesTable } from '../db/tables/vault-index.ts'
import { findNodeTypes } from './link-store.ts'
import type { Found } from './problem.ts'
import { decodeEntry, encodeEntry } from '../vault-index/stored/entry.ts'
import type { PreparedEntry } from '../vault-index/index-record.ts'
import {
  entryAddress,
  forgetRemovals,
  insertEntry,
  removeEntries,
  updateEntry,
  type StoredFacts,
  type VectorFacts,
} from '../vault-index/stored/store.ts'

/** Compares index entries with their records, and builds them again. */

export async function findEntries(
  db: Reader,
  scope: VaultScope,
  itemIds: readonly string[],
): Promise<Map<string, IndexEntriesTable>> {
  if (itemIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('indexEntries')
    .selectAll()
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('itemId', 'in', itemIds)
    .execute()
  return new Map(rows.map((row) => [row.itemId, row]))
}

export interface ExpectedEntry {
  itemId: string
  facts: Omit<StoredFacts, keyof VectorFacts>
  /** Made from the record's texts. A repaired entry waits for its vectors, if there is a provider. */
  prepare(): Promise<PreparedEntry>
}

/** `stored`: undefined if the record has no entry. */
export async function compareEntry(
  db: Reader,
  scope: VaultScope,
  stored: IndexEntriesTable | undefined,
  { itemId, facts, prepare }: ExpectedEntry,
): Promise<Found[]> {
  const name = { table: 'indexEntries', recordId: itemId }
  const prepared = await prepare()
  const whole = { ...facts, ...prepared.facts }
  if (stored === undefined)
    return [
      {
        ...name,
        problem: 'missing',
        async repair(tx, seq) {
          await removeStray(tx, scope, itemId)
          await forgetRemovals(tx, scope, [itemId])
          await insertEntry(tx, scope, seq, { itemId, facts: whole, entry: prepared.bytes })
        },
      },
    ]
  const found: Found[] = differingFacts(stored, facts).map((column) => ({
    ...name,
    column,
    problem: 'different',
    detail: 'only the plain columns of the record say what it was',
    repair: (tx, seq) => updateEntry(tx, scope, seq, { itemId, facts: { [column]: facts[column] } }),
  }))
  const words = await readWords(db, scope, stored)
  if (words === undefined || !words.equals(prepared.bytes))
    found.push({
      ...name,
      column: 'entry',
      problem: words === undefined ? 'unreadable' : 'different',
      repair: (tx, seq) => updateEntry(tx, scope, seq, { itemId, facts: prepared.facts, entry: prepared.bytes }),
    })
  return found
}

/** An entry of the record that names another vault: a record has only one. */
async function removeStray(tx: Tx, { userId, id }: VaultScope, itemId: string): Promise<void> {
  await tx
    .deleteFrom('indexEntries')
    .where('userId', '=', userId)
    .where('vaultId', '<>', id)
    .where('itemId', '=', itemId)
    .execute()
}

type Fact = keyof ExpectedEntry['facts']

const differingFacts = (stored: IndexEntriesTable, facts: ExpectedEntry['facts']): Fact[] =>
  (Object.keys(facts) as Fact[]).filter((fact) => stored[fact] !== facts[fact])

/** The entry without its vectors, which can't be compared; undefined if it doesn't open. */
async function readWords(
  db: Reader,
  scope: VaultScope,
  { itemId, revision, entry }: IndexEntriesTable,
): Promise<Buffer | undefined> {
  try {
    const bytes = openCell(scope.keys, 'index', entryAddress(scope, itemId, revision), asSealed(entry))
    return Buffer.from(encodeEntry({ ...decodeEntry(bytes), vectors: undefined }))
  } catch (error) {
    if (!(await isDamage(db, error))) throw error
    return undefined
  }
}

/** Entries of records that don't exist: what they are about is lost. Searches and reads would fail on them. */
export async function findLeftEntries(
  db: Reader,
  scope: VaultScope,
  rows: readonly IndexEntriesTable[],
): Promise<Found[]> {
  const known = await findNodeTypes(
    db,
    scope,
    rows.map(({ itemId }) => itemId),
  )
  const lost = rows.filter(({ itemId }) => !known.has(itemId))
  const elsewhere = await findElsewhere(
    db,
    scope.userId,
    lost.map(({ itemId }) => itemId),
  )
  return lost.map(({ itemId, kind }) => ({
    table: kind === 'note' ? 'notes' : 'memories',
    recordId: itemId,
    problem: 'gone',
    ...(elsewhere.has(itemId)
      ? { detail: 'its row names another vault' }
      : {
          detail: 'the record is lost; a repair removes what is left in the index',
          repair: (tx, seq) => removeEntries(tx, scope, seq, [itemId]),
        }),
  }))
}

/** Of these records, those that the user has in another vault, or in none. */
async function findElsewhere(db: Reader, userId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const memories = await db
    .selectFrom('memories')
    .select('id')
    .where('userId', '=', userId)
    .where('id', 'in', ids)
    .execute()
  const notes = await db.selectFrom('notes').select('id').where('userId', '=', userId).where('id', 'in', ids).execute()
  return new Set([...memories, ...notes].map(({ id }) => id))
}
