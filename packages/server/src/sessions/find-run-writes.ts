import { choiceTest, slotsOf } from '../vault-index/choose-items.ts'
import { keyedIn } from '../memories/find-page.ts'
import { listMemoryStates } from '../memories/list-store.ts'
import { findOutlines } from '../notes/store.ts'
import type { CallOutcome, VaultContext } from '../operation/context.ts'
import type { Run } from './run-store.ts'

/** What a run has made. */
export interface RunWrite {
  type: 'memory' | 'note'
  id: string
  /** Why it is left as it is; undefined where nobody has changed it since. */
  left: string | undefined
}

const notesAtOnce = 100

/**
 * The latest first. Memories (tasks and session summaries among them) are known by the run that they name; notes by the
 * calls of the run, as long as those are kept.
 */
export async function findRunWrites(
  ctx: Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'now'>,
  run: Run,
  calls: readonly CallOutcome[],
): Promise<RunWrite[]> {
  const writes = [...(await findMemoriesOf(ctx, run)), ...(await findNotesOf(ctx, run, calls))]
  return writes.toSorted((a, b) => (a.id < b.id ? 1 : -1))
}

async function findMemoriesOf(
  { db, vault, indexes, now }: Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'now'>,
  { agentRunId, integrationId }: Run,
): Promise<RunWrite[]> {
  const ids = await indexes.read(vault, (index) => {
    const choice = { state: 'all' as const, at: now(), kinds: ['memory'], agentRunId }
    return slotsOf(index, choiceTest(index, choice, keyedIn(vault))).map((slot) => index.itemIdOf(slot))
  })
  const states = await listMemoryStates(db.read, vault, ids)
  return states
    .filter((state) => (state.integrationId ?? undefined) === integrationId)
    .map(({ id, version, archivedAt }) => ({ type: 'memory', id, left: whyLeft(version, archivedAt !== null) }))
}

async function findNotesOf(
  { db, vault }: Pick<VaultContext, 'db' | 'vault'>,
  { agentRunId }: Run,
  calls: readonly CallOutcome[],
): Promise<RunWrite[]> {
  const made = calls.filter(({ operation }) => operation === 'create-note')
  const ids = [
    ...new Set(made.flatMap(({ records }) => records.filter(({ kind }) => kind === 'note').map(({ id }) => id))),
  ]
  const found: RunWrite[] = []
  for (let at = 0; at < ids.length; at += notesAtOnce)
    for (const note of await findOutlines(db.read, vault, ids.slice(at, at + notesAtOnce)))
      if (note.head.agentRunId === agentRunId)
        found.push({ type: 'note', id: note.noteId, left: whyLeft(note.version, note.trashedAt !== undefined) })
  return found
}

export function whyLeft(version: number, isPutAway: boolean): string | undefined {
  if (isPutAway) return 'archived or in the trash already'
  return version === 1 ? undefined : 'changed since it was written'
}
