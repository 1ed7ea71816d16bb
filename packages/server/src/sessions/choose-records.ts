import type { OnDamage } from '../crypto/cell.ts'
import { isLive, type Memory, type MemoryType } from '../memories/memory.ts'
import { findIntactMemories, findIntactWithStates } from '../memories/store.ts'
import type { VaultContext } from '../operation/context.ts'
import { decayFactor } from '../search/rank.ts'
import { type SearchContext, searchVault, type VaultAnswer } from '../search/search-vault.ts'
import type { SessionMode } from '../vaults/settings.ts'
import { isDecision } from './entries.ts'
import { listSummaryIds } from './mark-store.ts'
import {
  byAge,
  byUrgency,
  listMostImportant,
  listNewest,
  listOpenTasks,
  openStatuses,
  type RankedMemory,
} from './ranked-store.ts'
import { plainTask, type TaskState } from '../memories/task-state.ts'

/** Chooses the memories and tasks for session-start, the most useful first. */

const factTypes: MemoryType[] = ['fact', 'preference', 'skill', 'correction']
const remedies: MemoryType[] = ['correction', 'skill']
const others = factTypes.filter((type) => !remedies.includes(type))

export interface Choice {
  mode: SessionMode
  limit: number
  query?: string | undefined
  at: number
  decayHalfLifeDays: number
}

/** `onDamage`: called with what is left out. */
type Context = Pick<VaultContext, 'db' | 'vault' | 'now'> & { onDamage?: OnDamage }

/** `search`: the results for the caller's query; undefined if there is no query or the search failed. */
export async function chooseFacts(ctx: Context, choice: Choice, search: VaultAnswer | undefined): Promise<Memory[]> {
  const { mode, limit } = choice
  // Only the text shows whether a memory is a decision, so twice as many are opened.
  const candidates = mode === 'planning' ? limit * 2 : limit
  const found = (search?.hits ?? []).map(({ itemId }) => itemId)
  const ranked = await rankFacts(ctx, choice, candidates)
  const ids = [...new Set([...found, ...ranked])].slice(0, candidates)
  const memories = await openInOrder(ctx, ids)
  return (mode === 'planning' ? decisionsFirst(memories) : memories).slice(0, limit)
}

async function rankFacts(ctx: Pick<VaultContext, 'db' | 'vault'>, choice: Choice, limit: number): Promise<string[]> {
  const { db, vault } = ctx
  if (choice.mode !== 'incident') return rankByImportance(ctx, factTypes, choice, limit)
  const parts = [remedies, others].map((types) => listNewest(db.read, vault, types, { limit, at: choice.at }))
  return (await Promise.all(parts)).flat().map(({ id }) => id)
}

const decisionsFirst = (memories: readonly Memory[]): Memory[] => [
  ...memories.filter(isDecision),
  ...memories.filter((memory) => !isDecision(memory)),
]

/** Searches only the memory types that the facts section contains. */
export const searchFacts = (ctx: SearchContext, query: string, { limit, decayHalfLifeDays }: Choice) =>
  searchVault(ctx, {
    query,
    kinds: ['memory'],
    types: factTypes,
    topK: Math.max(limit, 1),
    isStrict: true,
    decayHalfLifeDays,
  })

/** Those of people first, so agents cannot crowd them out, however many they write. */
export async function chooseConstraints(ctx: Context, choice: Choice): Promise<Memory[]> {
  const { limit } = choice
  const ids = new Set(await rankByImportance(ctx, ['constraint'], { ...choice, byPeople: true }, limit))
  if (ids.size < limit) for (const id of await rankByImportance(ctx, ['constraint'], choice, limit)) ids.add(id)
  return openInOrder(ctx, [...ids].slice(0, limit))
}

/** Newest first; in `minimal`, most important first. In `handoff`, the last session's summary comes first. */
export async function chooseEpisodes(
  ctx: Context,
  choice: Choice,
): Promise<{ episodes: Memory[]; lastSummary: Memory | undefined }> {
  const { mode, limit, at } = choice
  const { db, vault } = ctx
  if (limit === 0) return { episodes: [], lastSummary: undefined }
  const ids =
    mode === 'minimal'
      ? await rankByImportance(ctx, ['episodic'], choice, limit)
      : (await listNewest(db.read, vault, ['episodic'], { limit, at })).map(({ id }) => id)
  const summaries = mode === 'handoff' ? await listSummaryIds(db.read, vault, 1, at) : []
  const episodes = (await openInOrder(ctx, [...new Set([...summaries, ...ids])])).slice(0, limit)
  return { episodes, lastSummary: episodes.find(({ memoryId }) => memoryId === summaries[0]) }
}

async function rankByImportance(
  { db, vault }: Pick<VaultContext, 'db' | 'vault'>,
  types: readonly MemoryType[],
  { at, decayHalfLifeDays, byPeople = false }: Choice & { byPeople?: boolean },
  limit: number,
): Promise<string[]> {
  const found = await listMostImportant(db.read, vault, types, { limit, at, byPeople })
  const worth = ({ type, importance, occurredAt }: RankedMemory) =>
    importance * decayFactor(type, at - occurredAt, decayHalfLifeDays)
  return found
    .toSorted((a, b) => worth(b) - worth(a) || byAge(a, b))
    .slice(0, limit)
    .map(({ id }) => id)
}

async function openInOrder({ db, vault, now, onDamage }: Context, ids: readonly string[]): Promise<Memory[]> {
  const intact = await findIntactMemories(db.read, vault, ids, onDamage)
  const found = new Map(intact.map((memory) => [memory.memoryId, memory]))
  const at = now()
  // A summary may have been archived since its session's mark was set.
  return ids.flatMap((id) => found.get(id) ?? []).filter((memory) => isLive(memory, at))
}

// These modes ignore the status: planning must show blocked and waiting tasks, and minimal only has room for the most urgent.
const byUrgencyAlone: ReadonlySet<SessionMode> = new Set(['planning', 'minimal'])

/**
 * Open tasks: those in progress first, the backlog last, and the most urgent first within a status. Some modes order by
 * urgency only.
 */
export async function chooseTasks(
  ctx: Omit<Context, 'now'>,
  { mode, limit, at }: { mode: SessionMode; limit: number; at: number },
): Promise<{ memory: Memory; state: TaskState }[]> {
  if (limit === 0) return []
  const { db, vault, onDamage } = ctx
  const open = await listOpenTasks(db.read, vault, at, limit)
  const rank = (status: string) => (byUrgencyAlone.has(mode) ? 0 : openStatuses.findIndex((known) => known === status))
  const ids = open
    .toSorted((a, b) => rank(a.status) - rank(b.status) || byUrgency(a, b))
    .slice(0, limit)
    .map(({ id }) => id)
  const found = await findIntactWithStates(db.read, vault, ids, (address) => onDamage?.(address))
  return ids.flatMap((id) => {
    const one = found.get(id)
    return one === undefined ? [] : [{ memory: one.memory, state: one.state ?? plainTask() }]
  })
}
