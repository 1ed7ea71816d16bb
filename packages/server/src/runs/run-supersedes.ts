import type { CallOutcome } from '../calls/call.ts'
import type { WriteTime } from '../core/time.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import { listSuperseded } from '../memories/list-store.ts'
import { undoSupersede } from '../memories/related-memories.ts'
import { findMemories, updateMemory } from '../memories/store.ts'
import { isByRun, type RunId } from './judge-changes.ts'

/** A memory that a run hid by making a memory from before the run its successor. */
export interface RunSupersede {
  type: 'memory'
  id: string
  successorId: string
  left: undefined
  by?: undefined
}

const openedAtOnce = 50

interface Asked {
  run: RunId
  calls: readonly CallOutcome[]
  /** Records that the run created. What they superseded comes back with them. */
  created: ReadonlySet<string>
  /** Records whose text the run changed. They come back with their text, or stay for a reason. */
  updated: ReadonlySet<string>
}

/** Found through the run's calls, as long as those are kept: a call names the successor. */
export async function findRunSupersedes(
  db: Reader,
  vault: VaultScope,
  { run, calls, created, updated }: Asked,
): Promise<RunSupersede[]> {
  const changed = calls.filter(({ operation }) => operation === 'update-memory').flatMap(({ records }) => records)
  const successors = new Set(changed.map(({ id }) => id).filter((id) => !created.has(id)))
  const superseded = await listSuperseded(db, vault, [...successors])
  const ids = superseded.map(({ id }) => id).filter((id) => !created.has(id) && !updated.has(id))
  const found: RunSupersede[] = []
  for (let at = 0; at < ids.length; at += openedAtOnce)
    for (const memory of await findMemories(db, vault, ids.slice(at, at + openedAtOnce))) {
      const { memoryId: id, supersededById: successorId, head } = memory
      if (successorId === undefined || head.supersededBy === undefined || !isByRun(head.supersededBy, run)) continue
      found.push({ type: 'memory', id, successorId, left: undefined })
    }
  return found
}

/** Returns the id of the memory that is active again; undefined if that was done in the meantime. */
export async function undoRunSupersede(
  tx: Tx,
  vault: VaultScope,
  when: WriteTime,
  { id: supersedesId, successorId: memoryId }: RunSupersede,
): Promise<string | undefined> {
  const broughtBack = await undoSupersede(tx, vault, when, { memoryId, supersedesId })
  const [successor] = await findMemories(tx, vault, [memoryId])
  if (broughtBack === undefined || successor?.supersedesId !== broughtBack) return broughtBack
  // Unlike a memory that the run created, it stays: it must not go on to say that it supersedes the other one.
  const [another] = await listSuperseded(tx, vault, [memoryId])
  const changed = { ...successor, supersedesId: another?.id, version: successor.version + 1, updatedAt: when.at }
  await updateMemory(tx, vault, changed, { resealed: false })
  return broughtBack
}
