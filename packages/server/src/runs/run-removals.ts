import type { CallOutcome } from '../calls/call.ts'
import type { WriteTime } from '../core/time.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import { unarchive } from '../memories/archive-memory.ts'
import { findMemories } from '../memories/store.ts'
import { restoreTrashed } from '../notes/restore-note.ts'
import { findNotes } from '../notes/store.ts'
import type { UndoneRun } from './judge-changes.ts'
import { listRemovals, type Removal } from './removal-store.ts'

/**
 * What people wrote, or changed last, and a run archived or moved to the trash without changing its text. Who removed other records isn't
 * known. It stays removed if a person has decided so since: has restored it and removed it again, or has kept it removed in the review.
 * Changes of its text since then stay.
 */
export interface RunRemoval extends Removal {
  left: undefined
  by?: undefined
}

interface Asked {
  run: UndoneRun
  calls: readonly CallOutcome[]
  /** Records that the run created, or whose text it changed. They are taken back, come back with their text, or stay for a reason. */
  known: ReadonlySet<string>
}

/** Found through the run's calls, as long as those are kept. In no particular order. */
export async function findRunRemovals(
  db: Reader,
  vault: VaultScope,
  { run: { integrationId, startedAt: since }, calls, known }: Asked,
): Promise<RunRemoval[]> {
  const isRemovedIn = removalTest(calls)
  if (integrationId === undefined || isRemovedIn === undefined) return []
  const removals = await listRemovals(db, vault, { integrationId, since })
  return removals
    .filter((removal) => !known.has(removal.id) && isRemovedIn(removal))
    .map((removal) => ({ ...removal, left: undefined }))
}

const namingCalls: ReadonlySet<string> = new Set(['archive-memory', 'delete-note'])

/** Undefined if no call of the run removed anything. A cleanup names only the first few of its memories; the others are known by their time. */
function removalTest(calls: readonly CallOutcome[]): ((removal: Removal) => boolean) | undefined {
  const done = calls.filter(({ isWrite, status }) => isWrite && status < 400)
  const naming = done.filter(({ operation }) => namingCalls.has(operation))
  const cleanups = done.filter(({ operation }) => operation === 'cleanup-memories')
  if (naming.length + cleanups.length === 0) return undefined
  const ids = new Set(naming.flatMap(({ records }) => records.map(({ id }) => id)))
  const isDuring = (time: number, { at, durationMs }: CallOutcome) => time >= at && time <= at + Math.ceil(durationMs)
  return ({ type, id, removedAt }) =>
    ids.has(id) || (type === 'memory' && cleanups.some((call) => isDuring(removedAt, call)))
}

/** Returns the id if the record is active again; undefined if something else still hides it, or it was decided about in the meantime. */
export async function undoRunRemoval(
  tx: Tx,
  vault: VaultScope,
  { run, ...when }: WriteTime & { run: UndoneRun },
  { type, id }: RunRemoval,
): Promise<string | undefined> {
  if (type === 'note') {
    const [note] = await findNotes(tx, vault, [id])
    if (note?.trashedAt === undefined || note.removedById !== run.integrationId) return undefined
    await restoreTrashed(tx, vault, when, note)
    return id
  }
  const [memory] = await findMemories(tx, vault, [id])
  if (memory?.archivedAt === undefined || memory.removedById !== run.integrationId) return undefined
  const { supersededById } = await unarchive(tx, vault, when, memory)
  return supersededById === undefined ? id : undefined
}
