import type { Memory } from '../memories/memory.ts'
import { findMemories } from '../memories/store.ts'
import { plainTask, type TaskState } from '../memories/task-state.ts'
import { findTasks } from '../memories/task-store.ts'
import type { VaultContext } from '../operation/context.ts'
import type { SessionMode } from '../vaults/settings.ts'
import { byUrgency, listOpenTasks, openStatuses } from './ranked-store.ts'

// For planning, so that what is blocked or waits is seen; where there is room for the least only, by the mode's own rule.
const byUrgencyAlone: ReadonlySet<SessionMode> = new Set(['planning', 'minimal'])

/**
 * The tasks that are not done: what is being worked on first, what lies in the backlog last, and of one status the most
 * urgent; in some modes the most urgent whatever their status.
 */
export async function chooseTasks(
  ctx: VaultContext,
  { mode, limit, at }: { mode: SessionMode; limit: number; at: number },
): Promise<{ memory: Memory; state: TaskState }[]> {
  if (limit === 0) return []
  const { db, vault } = ctx
  const open = await listOpenTasks(db.read, vault, at, limit)
  const rank = (status: string) => (byUrgencyAlone.has(mode) ? 0 : openStatuses.findIndex((known) => known === status))
  const ids = open
    .toSorted((a, b) => rank(a.status) - rank(b.status) || byUrgency(a, b))
    .slice(0, limit)
    .map(({ id }) => id)
  const memories = new Map((await findMemories(db.read, vault, ids)).map((memory) => [memory.memoryId, memory]))
  const states = await findTasks(db.read, vault, ids)
  return ids.flatMap((id) => {
    const memory = memories.get(id)
    return memory === undefined ? [] : [{ memory, state: states.get(id) ?? plainTask() }]
  })
}
