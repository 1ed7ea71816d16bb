import { z } from 'zod'
import { collectDamage } from '../crypto/cell.ts'
import { keyedIn } from '../memories/find-page.ts'
import { listMemoryStates, type MemoryState } from '../memories/list-store.ts'
import { titleOf } from '../memories/memory.ts'
import { findIntactMemories } from '../memories/store.ts'
import { findIntactOutlines } from '../notes/store.ts'
import type { VaultContext } from '../operation/context.ts'
import { choiceTest, slotsByRun } from '../vault-index/choose-items.ts'
import { readRunCalls } from './run-call-store.ts'
import type { Run } from './run-store.ts'

/** What runs did, in one line each: a title from what they wrote, and how much that was. */

export const runWork = z
  .looseObject({
    title: z
      .string()
      .nullable()
      .describe(
        'What it did: the first line of its last session summary, or the title of the most important memory, task or note that it wrote. Null if it wrote nothing that is still there.',
      ),
    memories: z
      .int()
      .describe('Memories that it wrote and that still exist, without tasks. Counts the newest 1,000 records.'),
    tasks: z.int().describe('Tasks that it wrote and that still exist.'),
    notes: z.int().describe('Notes that it created, according to its latest calls of the last 30 days.'),
  })
  .meta({ id: 'RunWork' })

export type RunWork = z.input<typeof runWork>

type Context = Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'instance' | 'now' | 'createdKinds'>

/** The newest memories of one run that are counted. */
const countedMemories = 1_000
/** The latest rows of calls in which notes are looked for. Each has the calls of a few seconds. */
const readRows = 50

export async function describeWork(ctx: Context, runs: readonly Run[]): Promise<Map<string, RunWork>> {
  const written = await findWritten(ctx, runs)
  const texts = await openTitles(ctx, [...written.values()])
  return new Map(
    [...written].map(([runId, { states, noteIds }]) => {
      const tasks = states.filter(({ type }) => type === 'task').length
      const title = chooseTitle(texts, states, noteIds)
      return [runId, { title, memories: states.length - tasks, tasks, notes: noteIds.length }]
    }),
  )
}

/** What one run wrote, newest first. */
interface Written {
  states: MemoryState[]
  noteIds: string[]
}

async function findWritten(ctx: Context, runs: readonly Run[]): Promise<Map<string, Written>> {
  const { db, vault, indexes, now } = ctx
  const names = runs.map(({ agentRunId }) => agentRunId)
  const idsByRun = await indexes.read(vault, (index) => {
    const test = choiceTest(index, { state: 'all', at: now(), kinds: ['memory'] }, keyedIn(vault))
    const slots = slotsByRun(index, test, names, keyedIn(vault))
    return new Map(
      [...slots].map(([name, of]) => [
        name,
        of
          .map((slot) => index.itemIdOf(slot))
          .toSorted()
          .slice(-countedMemories),
      ]),
    )
  })
  const states = new Map(
    (await listMemoryStates(db.read, vault, [...new Set([...idsByRun.values()].flat())])).map((state) => [
      state.id,
      state,
    ]),
  )
  const written = new Map<string, Written>()
  for (const run of runs) {
    const ids = (idsByRun.get(run.agentRunId) ?? []).toReversed()
    // Runs of other integrations can have the same name.
    const own = ids
      .flatMap((id) => states.get(id) ?? [])
      .filter(({ integrationId }) => (integrationId ?? undefined) === run.integrationId)
    written.set(run.id, { states: own, noteIds: run.writes === 0 ? [] : await findNoteIds(ctx, run) })
  }
  return written
}

async function findNoteIds({ db, vault, createdKinds }: Context, run: Run): Promise<string[]> {
  const calls = await readRunCalls(db.read, vault, run.id, readRows)
  const records = calls.filter(({ operation, status }) => createdKinds.get(operation) === 'note' && status < 400)
  return [...new Set(records.flatMap((call) => call.records.filter(({ kind }) => kind === 'note').map(({ id }) => id)))]
}

interface Titles {
  /** By memory: its title, and whether it is the summary of a session. */
  memories: Map<string, { title: string; isSummary: boolean }>
  notes: Map<string, string>
}

/** Opens only what a title can come from. */
async function openTitles({ db, vault, instance }: Context, written: readonly Written[]): Promise<Titles> {
  const { onDamage } = collectDamage(instance.onDamage)
  const memoryIds = written.flatMap(({ states }) => candidatesIn(states).map(({ id }) => id))
  const noteIds = written.flatMap(({ states, noteIds: [first] }) => (states.length > 0 ? [] : (first ?? [])))
  const memories = await findIntactMemories(db.read, vault, memoryIds, onDamage)
  const notes = await findIntactOutlines(db.read, vault, noteIds, onDamage)
  return {
    memories: new Map(
      memories.map((memory) => [
        memory.memoryId,
        {
          title: titleOf(memory),
          isSummary: memory.memoryType === 'episodic' && memory.head.route === 'context-checkpoint',
        },
      ]),
    ),
    notes: new Map(notes.map(({ noteId, head }) => [noteId, head.title])),
  }
}

/** The last one of the type that session summaries have, and the most important one. */
function candidatesIn(states: readonly MemoryState[]): MemoryState[] {
  const last = states.find(({ type }) => type === 'episodic')
  const [main] = states.toSorted((a, b) => b.importance - a.importance)
  return [last, main].filter((state) => state !== undefined)
}

function chooseTitle(
  { memories, notes }: Titles,
  states: readonly MemoryState[],
  noteIds: readonly string[],
): string | null {
  const found = candidatesIn(states).flatMap(({ id }) => memories.get(id) ?? [])
  const chosen = found.find(({ isSummary }) => isSummary) ?? found.at(-1)
  const title = chosen?.title ?? notes.get(noteIds[0] ?? '')
  return title === undefined || title === '' ? null : title
}
