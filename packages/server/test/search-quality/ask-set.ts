import { memoryTypes } from '../../src/memories/memory.ts'
import type { Item, LabelledSet, Question } from './labelled-set.ts'
import type { Answer } from './score.ts'

/**
 * Writes a set into vaults and asks its questions, through operations as an agent would call them. Whoever calls decides
 * how they are reached.
 */

/** Calls an agent operation by name; throws where the answer is no success. */
export type Call = <T>(operation: string, body: object) => Promise<T>

/**
 * `all`: as users search. `semantic`: by vectors alone, however far. What words and links find alone is what `all` gives on a server
 * without embeddings.
 */
export type Leg = 'all' | 'semantic'

export interface Asking {
  leg: Leg
  /** How many results to ask for; a search of notes that also reads them gives 10 at most. */
  topK: number
  /** Of all legs; default: as the operation has it. */
  threshold?: number | undefined
  /** Told where a memory of the first ten by meaning could not be had; default: that is an error. */
  onHole?: (() => void) | undefined
}

export interface WrittenSet {
  /** Vaults by group. */
  vaultIds: Map<string, string>
  /** Ids of the set by the server's id: two items become one record where the server takes them for the same. */
  itemIds: Map<string, string[]>
}

/** The most that either search gives. */
const mostMemories = 50
const mostNotes = 10

/** Groups side by side, each in the order of the set, so that every run has the same result. */
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
      if (item.group !== group) continue
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
    // A turn or a record of the day tells what happened, and loses a little weight as it ages; other sets have other types.
    memoryType: memoryTypes.find((known) => known === type) ?? 'episodic',
    importance,
    entities,
    // The service keeps the name "user" to itself.
    agentId: speaker === 'user' ? 'User' : speaker,
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
  { leg, topK, threshold, onHole }: Asking,
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
    return bySemanticRank(await call<Found>('search-memories', { ...question, ...everythingExplained }), topK, onHole)
  const { memories = [] } = await call<Found>('search-memories', { ...question, topK })
  return memories.map(({ memoryId, similarity }) => ({ id: memoryId, similarity }))
}

/** Without a threshold, which would leave the places of what lies under it empty, and with as little of all that reorders as can be. */
const everythingExplained = { topK: mostMemories, threshold: 0, diversity: 0, decayHalfLife: 365, explain: true }

/**
 * No operation gives the memories of the semantic leg alone, but an explained search tells their places in its list, also of the twenty that come
 * behind its hits. The first ten are among those, as the fusion gives the tenth no less than the words' fortieth, unless links and
 * importance push it further down. Later places may be missing.
 */
export function bySemanticRank(
  { memories = [], explanation }: Found,
  topK: number,
  onHole: () => void = refuseHole,
): FoundRecord[] {
  const all = [...memories.map(({ memoryId: id, ...rest }) => ({ id, ...rest })), ...(explanation?.dropped ?? [])]
  const ranked = all
    .flatMap(({ id, similarity, scoreDetails }) => {
      const rank = scoreDetails?.semanticRank ?? null
      return rank === null ? [] : [{ id, similarity, rank }]
    })
    .toSorted((a, b) => a.rank - b.rank)
  const isMissing = memories.length === mostMemories && ranked.length < surePlaces
  const hole = ranked.findIndex(({ rank }, at) => at < surePlaces && rank !== at + 1)
  if (isMissing || hole >= 0) onHole()
  return ranked.slice(0, topK)
}

const surePlaces = 10

function refuseHole(): never {
  throw new Error('A memory of the first ten by meaning is not among the seventy best')
}
