import type { VaultScope } from '../../crypto/keys.ts'
import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { asSealed, openCell, sealCell, type CellAddress } from '../../crypto/cell.ts'
import type { Reader, Tx } from '../../db/dialect.ts'
import { lockVault, hasRemovalsSince } from './store.ts'
import { SnapshotError } from './snapshot.ts'

/** Snapshots of whole indexes, sealed segment by segment: what they hold can always be built anew from the entries. */

/** The vaults of all owners that changed more than `minChanges` times, and by a tenth, since their last whole snapshot. */
export async function listVaultsToSnapshot(
  db: Reader,
  minChanges: number,
): Promise<{ userId: string; vaultId: string }[]> {
  const snapshotSeqs = new Map<string, number>()
  for (const { userId, vaultId, seq, count, segments } of await listSnapshots(db))
    if (segments !== null && count >= segments) snapshotSeqs.set(`${userId} ${vaultId}`, seq)
  const vaults = await db.selectFrom('vaults').select(['userId', 'id as vaultId', 'seq']).execute()
  return vaults.filter(({ userId, vaultId, seq }) => {
    const snapshotSeq = snapshotSeqs.get(`${userId} ${vaultId}`) ?? 0
    return seq - snapshotSeq > Math.max(minChanges, seq / 10)
  })
}

/**
 * All, whole or not, each vault's latest last. How many segments each should have is asked of its first alone: beyond the key a row is
 * read through its 2 MiB (1,000 vaults and 100 MB: 8 ms, of all rows 240 ms).
 */
const listSnapshots = (db: Reader) =>
  db
    .selectFrom('indexSnapshots as snapshot')
    .select((row) => [
      'snapshot.userId',
      'snapshot.vaultId',
      'snapshot.seq',
      row.fn.countAll<number>().as('count'),
      row
        .selectFrom('indexSnapshots as first')
        .select('first.segments')
        .whereRef('first.userId', '=', 'snapshot.userId')
        .whereRef('first.vaultId', '=', 'snapshot.vaultId')
        .whereRef('first.seq', '=', 'snapshot.seq')
        .where('first.segment', '=', 0)
        .as('segments'),
    ])
    .groupBy(['snapshot.userId', 'snapshot.vaultId', 'snapshot.seq'])
    .orderBy('snapshot.userId')
    .orderBy('snapshot.vaultId')
    .orderBy('snapshot.seq')
    .execute()

/** The latest whole snapshot: its change number and its segments in order; undefined where there is none. */
export async function readSnapshot(
  db: Reader,
  scope: VaultScope,
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
  const segments: Buffer[] = []
  let run: Buffer | undefined
  for (let segment = 0; segment < whole.segments; segment++) {
    const bytes = await readSegment(db, scope, { ...whole, segment })
    // Another server has written a later one, and deleted this one, since.
    if (bytes === undefined) return readSnapshot(db, scope)
    run ??= bytes.subarray(0, runBytes)
    if (!bytes.subarray(0, runBytes).equals(run)) throw new SnapshotError('its segments were not written together')
    segments.push(bytes.subarray(runBytes))
    // Each takes some milliseconds to read and open.
    await setImmediate()
  }
  return { seq: whole.seq, segments }
}

async function readSegment(db: Reader, scope: VaultScope, place: Segment): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('indexSnapshots')
    .select('cell')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('seq', '=', place.seq)
    .where('segments', '=', place.segments)
    .where('segment', '=', place.segment)
    .executeTakeFirst()
  return row && openCell(scope.keys, 'index', segmentAddress(scope, place), asSealed(row.cell))
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
 * their segments may mix, which the runs' names show to the reader. False, and nothing written, once the vault is erased, and nothing as of before a
 * record was deleted for good: it would hold that one's words.
 */
export async function writeSegment(
  tx: Tx,
  scope: VaultScope,
  place: Segment,
  { run, bytes }: { run: Buffer; bytes: Uint8Array },
): Promise<boolean> {
  // The row stays locked until the segment is there, so that an erasure either finds it or comes before.
  if (!(await lockVault(tx, scope.userId, scope.id)) || (await hasRemovalsSince(tx, scope, place.seq))) return false
  const cell = sealCell(scope.keys, 'index', segmentAddress(scope, place), Buffer.concat([run, bytes]))
  await tx
    .insertInto('indexSnapshots')
    .values({ userId: scope.userId, vaultId: scope.id, ...place, cell })
    .onConflict((conflict) =>
      conflict.columns(['userId', 'vaultId', 'seq', 'segment']).doUpdateSet({ segments: place.segments, cell }),
    )
    .execute()
  return true
}

export async function deleteSnapshotsBefore(
  tx: Tx,
  scope: Pick<VaultScope, 'id' | 'userId'>,
  seq: number,
): Promise<void> {
  await tx
    .deleteFrom('indexSnapshots')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('seq', '<', seq)
    .execute()
}

/** One segment at a time, as they are written; false once there is none. */
export async function deleteSegmentBefore(tx: Tx, { id, userId }: VaultScope, seq: number): Promise<boolean> {
  const oldest = await tx
    .selectFrom('indexSnapshots')
    .select(['seq', 'segment'])
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    .where('seq', '<', seq)
    .orderBy('seq')
    .orderBy('segment')
    .limit(1)
    .executeTakeFirst()
  if (oldest === undefined) return false
  await tx
    .deleteFrom('indexSnapshots')
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    .where('seq', '=', oldest.seq)
    .where('segment', '=', oldest.segment)
    .execute()
  return true
}

// The change number and the count of segments stand in the column's name, so that segments of two snapshots do not mix.
const segmentAddress = ({ id, userId }: VaultScope, { seq, segment, segments }: Segment): CellAddress => ({
  userId,
  scopeId: id,
  table: 'indexSnapshots',
  rowId: id,
  column: `cell at ${seq} of ${segments}`,
  revision: segment,
})
