import { isBlank } from '@holdfast/transfer/text/hidden-characters'
import { memoryTypes } from '../../src/memories/memory.ts'
import type { Item, LabelledSet, Question } from './labelled-set.ts'
import type { Answer } from './score.ts'

/** Writes a set into vaults and asks its questions, through operations like an agent. The caller decides how they are reached. */

/** Calls an agent operation by name. Throws unless it succeeds. */
export type Call = <T>(operation: string, body: object) => Promise<T>

/**
 * `all`: as users search. `semantic`: only by vectors, without a threshold. For only words and links, use `all` on a server without
 * embeddings.
 */
export type Leg = 'all' | 'semantic'

export interface Asking {
  leg: Leg
  /** How many results to request. A search of notes that also reads them returns at most 10. */
  topK: number
  /** For all legs. Default: the operation's default. */
  threshold?: number | undefined
  /** Called if a memory of the first ten by meaning is missing. Default: throw an error. */
  onGap?: (() => void) | undefined
}

export interface WrittenSet {
  /** Vaults by group. */
  vaultIds: Map<string, string>
  /** Ids of the set by the server's id: two items become one record if the server treats them as duplicates. */
  itemIds: Map<string, string[]>
}

/** The most that either search returns. */
const mostMemories = 50
const mostNotes = 10

/** Groups in parallel, each in the order of the set, so every run has the same result. Skips blank texts, which the service refuses. */
export async function writeSet(
  call: Call,
  { items, questions }: LabelledSet,
  onWritten?: () => void,
): Promise<WrittenSet> {
  const vaultIds = new Map<string, string>()
  for (const name of new Set([...items, ...questions].map(({ group }) => group)))
    vaultIds.set(name, (await call<{ vaultId: string }>('create-vault', { name })).vaultId)
  const itemIds = new Map<string, string[]>()
  const writeGroup = async ([group, vaultId]: [string, string]) => {
    for (const item of items) {
      if (item.group !== group || isBlank(item.text)) continue
      const id = await writeItem(call, item, vaultId)
      itemIds.set(id, [...(itemIds.get(id) ?? []), item.id])
      onWritten?.()
    }
  }
  await Promise.all([...vaultIds].map(writeGroup))
  return { vaultIds, itemIds }
}

async function writeItem(call: Call, item: Item, vaultId: string): Promise<string> {
  const { title, tags, text, type, importance, entities, speaker, parent, timestamp } = item
  if (title !== undefined) {
    const { noteId } = await call<{ noteId: string }>('create-note', { vaultId, title, tags, content: text })
    return noteId
  }
  const { memoryId } = await call<{ memoryId: string }>('write-memory', {
    vaultId,
    content: text,
    // A turn or a dated record reports an event, and loses a little weight as it ages. Other sets have other types.
    memoryType: memoryTypes.find((known) => known === type) ?? 'episodic',
    importance,
    entities,
    // The service reserves the name "user".
    agentId: speaker === 'user' ? 'Asker' : speaker,
    agentRunId: parent,
    occurredAt: timestamp,
  })
  return memoryId
}

interface Found {
  memories?: ({ memoryId: string } & Explained)[]
  notes?: { noteId: string; similarity: number | null }[]
  explanation?: { dropped: ({ id: string } & Explained)[] }
}

interface Explained {
  similarity: number | null
  scoreDetails?: { semanticRank: number | null } | null
}

export async function ask(call: Call, written: WrittenSet, question: Question, asking: Asking): Promise<Answer> {
  const found = await search(call, question, written.vaultIds.get(question.group), asking)
  const similarities = found.flatMap(({ similarity }) => (similarity === null ? [] : [similarity]))
  return {
    query_id: question.id,
    ids: found.flatMap(({ id }) => written.itemIds.get(id) ?? []),
    similarity: similarities.length === 0 ? null : Math.max(...similarities),
  }
}

interface FoundRecord {
  id: string
  similarity: number | null
}

async function search(
  call: Call,
  { query, searches, now: asOf }: Question,
  vaultId: string | undefined,
  { leg, topK, threshold, onGap }: Asking,
): Promise<FoundRecord[]> {
  if (searches === 'notes') {
    const [name, more] =
      leg === 'semantic'
        ? ['semantic-search', { topK, threshold: 0 }]
        : ['search-and-read', { topK: Math.min(topK, mostNotes), maxChars: 1 }]
    const { notes = [] } = await call<Found>(name, { vaultId, query, threshold, ...more })
    return notes.map(({ noteId, similarity }) => ({ id: noteId, similarity }))
  }
  const question = { vaultId, query, threshold, asOf }
  if (leg === 'semantic')
    return bySemanticRank(await call<Found>('search-memories', { ...question, ...everythingExplained }), topK, onGap)
  const { memories = [] } = await call<Found>('search-memories', { ...question, topK })
  return memories.map(({ memoryId, similarity }) => ({ id: memoryId, similarity }))
}

/** Without a threshold, which would leave the ranks below it empty, and with as little reordering as possible. */
const everythingExplained = { topK: mostMemories, threshold: 0, diversity: 0, decayHalfLife: 365, explain: true }

/**
 * No operation returns only the memories of the semantic leg, but an explained search returns their ranks, also for the twenty after
 * its hits. The first ten are among those, because the fusion gives the tenth at least the score of the fortieth by words, unless links
 * and importance push it further down. Later ranks may be missing.
 */
export function bySemanticRank(
  { memories = [], explanation }: Found,
  topK: number,
  onGap: () => void = throwOnGap,
): FoundRecord[] {
  const all = [...memories.map(({ memoryId: id, ...rest }) => ({ id, ...rest })), ...(explanation?.dropped ?? [])]
  const ranked = all
    .flatMap(({ id, similarity, scoreDetails }) => {
      const rank = scoreDetails?.semanticRank ?? null
      return rank === null ? [] : [{ id, similarity, rank }]
    })
    .toSorted((a, b) => a.rank - b.rank)
  const isMissing = memories.length === mostMemories && ranked.length < surePlaces
  const gap = ranked.findIndex(({ rank }, at) => at < surePlaces && rank !== at + 1)
  if (isMissing || gap >= 0) onGap()
  return ranked.slice(0, topK)
}

const surePlaces = 10

function throwOnGap(): never {
  throw new Error('A memory of the first ten by meaning is not among the seventy best')
}
