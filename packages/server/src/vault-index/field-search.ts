import { type KeyedQuery, resolveTerms, type QueryTerms } from './query.ts'
import type { SlotTest } from './live.ts'
import { newerFirst, type VaultIndex } from './vault-index.ts'
import { TopSlots } from './legs/top-slots.ts'
import { termMask } from './parts/words.ts'

/**
 * Searches records with a title by the words of title, tags and content, each with its own weight. Unlike the words leg it finds every
 * match, so results can be counted and paged.
 */

export const fields = ['title', 'tags', 'content'] as const
export type Field = (typeof fields)[number]

/** The value of a word in each field. In the content one occurrence is worth less than 1, many approach 1. */
const weights: Record<Field, number> = { title: 3, tags: 2, content: 1 }
const flags: Record<Field, number> = { title: 1, tags: 2, content: 4 }
/** BM25's usual constants, not measured here. */
const k1 = 1.2
const b = 0.75

interface FieldHit {
  itemId: string
  score: number
  /** The fields with a word of the question, in the order of `fields`. */
  matchedIn: Field[]
}

export interface FieldResult {
  hits: FieldHit[]
  /** The number of all matches. */
  total: number
}

/** The state of one search, by slot. `matched` lists each matching slot once. */
interface Found {
  index: VaultIndex
  asked: number
  scores: Float64Array
  fields: Uint8Array
  matched: number[]
  passes: SlotTest
}

/**
 * The items with a word of the question in one of the fields, best first, newer first if equal. Dates in a question are plain words
 * here.
 */
export function searchFields(
  index: VaultIndex,
  query: KeyedQuery,
  passes: SlotTest,
  { within, limit, offset }: { within: readonly Field[]; limit: number; offset: number },
): FieldResult {
  const found: Found = {
    index,
    asked: within.reduce((set, field) => set | flags[field], 0),
    scores: new Float64Array(index.slotCount),
    fields: new Uint8Array(index.slotCount),
    matched: [],
    passes,
  }
  const asked = affordable(index, resolveTerms(index, query))
  walkPostings(found, asked)
  walkNewest(found, asked)
  const most = Math.min(offset + limit, found.matched.length)
  const best = new TopSlots(most)
  best.start(most, newerFirst(index))
  for (const slot of found.matched) best.offer(slot, found.scores[slot] as number)
  const hits = best.take().slice(offset)
  return { hits: hits.map(({ slot, score }) => hitOf(found, slot, score)), total: found.matched.length }
}

/** The most postings that one search reads, 40 to 75 ms. The most frequent words beyond are ignored. */
const maxPostings = 300_000

/** The rarest of the question's words, and at least one. */
function affordable(index: VaultIndex, { terms, weights: termWeights, ...rest }: QueryTerms): QueryTerms {
  const { documentCounts } = index.parts.words
  let postings = 0
  const dear = terms.findIndex((term, i) => (postings += documentCounts[term] as number) > maxPostings && i > 0)
  const kept = dear < 0 ? terms.length : dear
  return { ...rest, terms: terms.slice(0, kept), weights: termWeights.slice(0, kept) }
}

const hitOf = ({ index, ...found }: Found, slot: number, score: number): FieldHit => ({
  itemId: index.itemIdOf(slot),
  score,
  matchedIn: fields.filter((field) => ((found.fields[slot] as number) & flags[field]) !== 0),
})

function walkPostings(found: Found, { terms, weights: termWeights }: QueryTerms): void {
  const { postingStarts, postingSlots, postingCounts } = found.index.parts.words
  terms.forEach((term, i) => {
    if (term + 1 >= postingStarts.length) return
    const take = takerOf(found, term, termWeights[i] as number)
    for (let at = postingStarts[term] as number; at < (postingStarts[term + 1] as number); at++)
      take(postingSlots[at] as number, postingCounts[at] as number)
  })
}

/** The slots that are not in the postings yet. */
function walkNewest(found: Found, { terms, weights: termWeights }: QueryTerms): void {
  const { words } = found.index.parts
  const places = new Map(Array.from(terms, (term, i) => [term, i]))
  const takers = Array.from(terms, (term, i) => takerOf(found, term, termWeights[i] as number))
  words.countWalk()
  let at = words.startOf(words.builtSlots)
  for (let slot = words.builtSlots; slot < words.slotCount; slot++) {
    const counts = new Uint8Array(terms.length)
    for (const end = words.ends[slot] as number; at < end; at++) {
      const place = places.get((words.sequence[at] as number) & termMask)
      if (place !== undefined) counts[place] = Math.min(255, (counts[place] as number) + 1)
    }
    counts.forEach((count, i) => {
      if (count > 0) takers[i]?.(slot, count)
    })
  }
}

/** Scores slots for a term. `count` is the number of occurrences in header and text. */
const takerOf = (found: Found, term: number, weight: number) => (slot: number, count: number) => {
  if (!found.passes(slot)) return
  const inHeader = countInHeader(found.index, slot, term)
  const inContent = count - inHeader.all
  const set =
    ((inHeader.title > 0 ? flags.title : 0) |
      (inHeader.tags > 0 ? flags.tags : 0) |
      (inContent > 0 ? flags.content : 0)) &
    found.asked
  if (set === 0) return
  if (found.fields[slot] === 0) found.matched.push(slot)
  found.fields[slot] = (found.fields[slot] as number) | set
  const worth =
    (set & flags.title ? weights.title : 0) +
    (set & flags.tags ? weights.tags : 0) +
    (set & flags.content ? weights.content * contentShare(found.index, slot, inContent) : 0)
  found.scores[slot] = (found.scores[slot] as number) + weight * worth
}

/** How often the term occurs in the header and its fields. */
function countInHeader(index: VaultIndex, slot: number, term: number): { title: number; tags: number; all: number } {
  const { words, titles } = index.parts
  const { tagWords, titleWords } = titles.of(slot)
  const start = words.startOf(slot)
  const end = start + (words.headerLengths[slot] as number)
  const counts = { title: 0, tags: 0, all: 0 }
  for (let at = start; at < end; at++) {
    if (((words.sequence[at] as number) & termMask) !== term) continue
    counts.all++
    if (at >= end - titleWords) counts.title++
    else if (at >= end - titleWords - tagWords) counts.tags++
  }
  return counts
}

/** BM25's saturation, 0 to 1. */
function contentShare(index: VaultIndex, slot: number, count: number): number {
  const { words } = index.parts
  return count / (count + k1 * (1 - b + (b * words.lengthOf(slot)) / words.meanLength))
}
