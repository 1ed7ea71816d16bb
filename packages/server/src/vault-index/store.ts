import { randomBytes } from 'node:crypto'
import { asSealed, openCell, sealCell, type CellAddress } from '../crypto/cell.ts'
import type { ScopeKeys } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import { prepared, type Param } from '../db/prepared.ts'
import type { IndexEntriesTable } from '../db/schema.ts'
import { SnapshotError } from './segments.ts'

/** Where a vault's index lies: whose it is and the keys that open it. */
export interface IndexScope {
  id: string
  userId: string
  keys: ScopeKeys
}

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
  | 'vectorsMissing'
>

export interface StoredEntry extends StoredFacts {
  itemId: string
  seq: number
  /** The opened plaintext of the entry. */
  entry: Buffer
}

// About 10 ms of opening and decoding, between which other requests get their turn.
const pageRows = 500

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
    revision: param('revision'),
    entry: param('entry'),
  }),
)

/** Written in the transaction of the record that it indexes, under that transaction's change number. */
export async function insertEntry(
  tx: Tx,
  scope: IndexScope,
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
  scope: IndexScope,
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

async function resealEntry(tx: Tx, scope: IndexScope, itemId: string, entry: Uint8Array) {
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

const sealEntry = (scope: IndexScope, itemId: string, revision: number, entry: Uint8Array) =>
  sealCell(scope.keys, 'index', entryAddress(scope, itemId, revision), entry)

/** Whether any of these records is indexed in the vault. */
export async function hasEntries(db: Reader, scope: IndexScope, itemIds: readonly string[]): Promise<boolean> {
  const entry = await db
    .selectFrom('indexEntries')
    .select('itemId')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('itemId', 'in', itemIds)
    .limit(1)
    .executeTakeFirst()
  return entry !== undefined
}

/** The entries changed after `seq`, oldest change first, a page at a time and opened. */
export async function* entriesSince(db: Reader, scope: IndexScope, seq: number): AsyncGenerator<StoredEntry[]> {
  let after = { seq: seq + 1, itemId: '' }
  while (true) {
    const rows = await db
      .selectFrom('indexEntries')
      .selectAll()
      .where('userId', '=', scope.userId)
      .where('vaultId', '=', scope.id)
      // One change may touch two rows (a memory and the one that it supersedes).
      .where((row) =>
        row.or([row('seq', '>', after.seq), row.and([row('seq', '=', after.seq), row('itemId', '>', after.itemId)])]),
      )
      .orderBy('seq')
      .orderBy('itemId')
      .limit(pageRows)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.map(({ entry, revision, userId: _owner, vaultId: _vault, ...facts }) => ({
      ...facts,
      entry: openCell(scope.keys, 'index', entryAddress(scope, facts.itemId, revision), asSealed(entry)),
    }))
    if (rows.length < pageRows) return
    after = last
  }
}

/** The vaults of all owners in which some record waits for its vectors: for the job that fills them in. */
export async function listVaultsMissingVectors(db: Reader): Promise<{ userId: string; vaultId: string }[]> {
  return db
    .selectFrom('indexEntries')
    .select(['userId', 'vaultId'])
    .distinct()
    .where('vectorsMissing', '=', 1)
    .execute()
}

export async function listMissingVectors(
  db: Reader,
  scope: IndexScope,
  afterId: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('indexEntries')
    .select('itemId')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('vectorsMissing', '=', 1)
    .where('itemId', '>', afterId)
    .orderBy('itemId')
    .limit(limit)
    .execute()
  return rows.map((row) => row.itemId)
}

/** Records that search by meaning cannot see yet. */
export async function countMissingVectors(db: Reader, scope: IndexScope): Promise<number> {
  const { count } = await db
    .selectFrom('indexEntries')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('vectorsMissing', '=', 1)
    .executeTakeFirstOrThrow()
  return count
}

export interface StoredLink {
  seq: number
  sourceId: string
  targetId: string
  relationType: string
}

export async function* linksSince(db: Reader, scope: IndexScope, seq: number): AsyncGenerator<StoredLink[]> {
  let after = { seq: seq + 1, id: '' }
  while (true) {
    const rows = await db
      .selectFrom('links')
      .select(['id', 'seq', 'sourceId', 'targetId', 'relationType'])
      .where('userId', '=', scope.userId)
      .where('vaultId', '=', scope.id)
      .where((row) =>
        row.or([row('seq', '>', after.seq), row.and([row('seq', '=', after.seq), row('id', '>', after.id)])]),
      )
      .orderBy('seq')
      .orderBy('id')
      .limit(pageRows)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    if (rows.length < pageRows) return
    after = last
  }
}

/** The vaults of all owners that changed more than `minChanges` times, and by a tenth, since their snapshot. */
export async function listVaultsToSnapshot(
  db: Reader,
  minChanges: number,
): Promise<{ userId: string; vaultId: string }[]> {
  const rows = await db
    .selectFrom('vaults as vault')
    .leftJoin('indexSnapshots as snapshot', (join) =>
      join.onRef('snapshot.userId', '=', 'vault.userId').onRef('snapshot.vaultId', '=', 'vault.id'),
    )
    .select((row) => ['vault.userId', 'vault.id as vaultId', 'vault.seq', row.fn.max('snapshot.seq').as('snapshotSeq')])
    .groupBy(['vault.userId', 'vault.id', 'vault.seq'])
    .execute()
  return rows.filter(({ seq, snapshotSeq }) => seq - (snapshotSeq ?? 0) > Math.max(minChanges, seq / 10))
}

/** The latest whole snapshot: its change number and its segments in order; undefined where there is none. */
export async function readSnapshot(
  db: Reader,
  scope: IndexScope,
): Promise<{ seq: number; segments: Buffer[] } | undefined> {
  const whole = await db
    .selectFrom('indexSnapshots')
    .select(['seq', 'segments'])
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .groupBy(['seq', 'segments'])
    .having(({ eb, fn, ref }) => eb(fn.countAll(), '=', ref('segments')))
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (whole === undefined) return undefined
  const rows = await db
    .selectFrom('indexSnapshots')
    .selectAll()
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('seq', '=', whole.seq)
    .where('segments', '=', whole.segments)
    .orderBy('segment')
    .execute()
  const opened = rows.map((row) => openCell(scope.keys, 'index', segmentAddress(scope, row), asSealed(row.cell)))
  return { seq: whole.seq, segments: ofOneRun(opened) }
}

function ofOneRun(opened: Buffer[]): Buffer[] {
  const [first] = opened
  if (!opened.every((bytes) => first?.compare(bytes, 0, runBytes, 0, runBytes) === 0))
    throw new SnapshotError('its segments were not written together')
  return opened.map((bytes) => bytes.subarray(runBytes))
}

interface Segment {
  seq: number
  segment: number
  segments: number
}

const runBytes = 16

/** Names one writing of a snapshot, in each of its segments. */
export const newSnapshotRun = (): Buffer => randomBytes(runBytes)

/**
 * One segment at a time, so that other writes get in between; a snapshot counts once all of its segments are there. What
 * an earlier run at this change number left, cut short by a crash, is written over. Where two processes write at once
 * their segments may mix, which the runs' names show to the reader.
 */
export async function writeSegment(
  tx: Tx,
  scope: IndexScope,
  place: Segment,
  run: Buffer,
  bytes: Uint8Array,
): Promise<void> {
  const cell = sealCell(scope.keys, 'index', segmentAddress(scope, place), Buffer.concat([run, bytes]))
  await tx
    .insertInto('indexSnapshots')
    .values({ userId: scope.userId, vaultId: scope.id, ...place, cell })
    .onConflict((conflict) =>
      conflict.columns(['userId', 'vaultId', 'seq', 'segment']).doUpdateSet({ segments: place.segments, cell }),
    )
    .execute()
}

export async function deleteSnapshotsBefore(tx: Tx, scope: IndexScope, seq: number): Promise<void> {
  await tx
    .deleteFrom('indexSnapshots')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('seq', '<', seq)
    .execute()
}

const entryAddress = ({ id, userId }: IndexScope, itemId: string, revision: number): CellAddress => ({
  userId,
  scopeId: id,
  table: 'indexEntries',
  rowId: itemId,
  column: 'entry',
  revision,
})

// The change number and the count of segments stand in the column's name, so that segments of two snapshots do not mix.
const segmentAddress = ({ id, userId }: IndexScope, { seq, segment, segments }: Segment): CellAddress => ({
  userId,
  scopeId: id,
  table: 'indexSnapshots',
  rowId: id,
  column: `cell at ${seq} of ${segments}`,
  revision: segment,
})
