import type { VaultScope } from '../../crypto/keys.ts'
import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { asSealed, openCell, sealCell, type CellAddress } from '../../crypto/cell.ts'
import type { Reader, Tx } from '../../db/dialect.ts'
import { allOwners, isWithin, type OwnerRange } from '../../db/owner-range.ts'
import { hasRemovalsSince, lockToSeal } from './store.ts'
import { SnapshotError } from './snapshot.ts'

/** Snapshots of whole indexes, sealed segment by segment. They can always be rebuilt from the entries. */

/** The vaults with more than `minChanges` changes, and more than a tenth, since their last complete snapshot. */
export async function listVaultsToSnapshot(
  db: Reader,
  minChanges: number,
  owners: OwnerRange = allOwners,
): Promise<{ userId: string; vaultId: string }[]> {
  const vaults = await db
    .selectFrom('vaults')
    .select(['userId', 'id as vaultId', 'seq'])
    .where(isWithin('userId', owners))
    .where('seq', '>', minChanges)
    .execute()
  if (vaults.length === 0) return []
  const snapshotSeqs = new Map<string, number>()
  for (const { userId, vaultId, seq, count, segments } of await listSnapshots(db, owners))
    if (segments !== null && count >= segments) snapshotSeqs.set(`${userId} ${vaultId}`, seq)
  return vaults.filter(({ userId, vaultId, seq }) => {
    const snapshotSeq = snapshotSeqs.get(`${userId} ${vaultId}`) ?? 0
    return seq - snapshotSeq > Math.max(minChanges, seq / 10)
  })
}

/**
 * The snapshots, complete or not, each vault's latest last. Only the first segment is read for the expected number of segments, because
 * reading any column beyond the key reads the row's 2 MiB (1,000 vaults and 100 MB: 8 ms instead of 240 ms).
 */
const listSnapshots = (db: Reader, owners: OwnerRange) =>
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
    .where(isWithin('snapshot.userId', owners))
    .groupBy(['snapshot.userId', 'snapshot.vaultId', 'snapshot.seq'])
    .orderBy('snapshot.userId')
    .orderBy('snapshot.vaultId')
    .orderBy('snapshot.seq')
    .execute()

/** The change number and the segments, in order, of the latest complete snapshot; undefined if there is none. */
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
    // Another server has written a later snapshot and deleted this one.
    if (bytes === undefined) return readSnapshot(db, scope)
    run ??= bytes.subarray(0, runBytes)
    if (!bytes.subarray(0, runBytes).equals(run)) throw new SnapshotError('its segments were not written together')
    segments.push(bytes.subarray(runBytes))
    // Reading and opening each takes some milliseconds.
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

/** Identifies one write of a snapshot in all of its segments. */
export const newSnapshotRun = (): Buffer => randomBytes(runBytes)

/**
 * Writes one segment, so that other writes can run in between. A snapshot counts once all of its segments exist. Overwrites segments that
 * an interrupted write at this change number has left. If two processes write at once, their segments may mix, which the reader detects
 * by `run`. Returns false and writes nothing if the vault was erased, if its keys were replaced since the index was read, or if a
 * record was erased after this change number, since the snapshot would contain its words.
 */
export async function writeSegment(
  tx: Tx,
  scope: VaultScope,
  place: Segment,
  { run, bytes }: { run: Buffer; bytes: Uint8Array },
): Promise<boolean> {
  // The vault's row stays locked until the commit, so an erasure either sees the segment or has come first.
  if (!(await lockToSeal(tx, scope)) || (await hasRemovalsSince(tx, scope, place.seq))) return false
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

/** Deletes one segment; false if there is none. */
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

// The change number and the number of segments are part of the column's name, so segments of different snapshots can't be swapped.
const segmentAddress = ({ id, userId }: VaultScope, { seq, segment, segments }: Segment): CellAddress => ({
  userId,
  scopeId: id,
  table: 'indexSnapshots',
  rowId: id,
  column: `cell at ${seq} of ${segments}`,
  revision: segment,
})
