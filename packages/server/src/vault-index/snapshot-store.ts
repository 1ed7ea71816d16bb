import type { VaultScope } from '../crypto/keys.ts'
import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { asSealed, openCell, sealCell, type CellAddress } from '../crypto/cell.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import { lockVault } from './lock-store.ts'
import { hasRemovalsSince } from './removal-store.ts'
import { SnapshotError } from './segments.ts'

/** Snapshots of whole indexes, sealed segment by segment: what they hold can always be built anew from the entries. */

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
  run: Buffer,
  bytes: Uint8Array,
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
