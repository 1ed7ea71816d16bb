import { type KeyedQuery, resolveTerms, type QueryTerms } from './query.ts'
import type { SlotTest } from './live.ts'
import { newerFirst, type VaultIndex } from './vault-index.ts'
import { TopSlots } from './legs/top-slots.ts'
import { termMask } from './parts/words.ts'

/**
 * Search by the words of title, tags and content, each with its own weight, for records with a title. Unlike the words leg
 * it knows every match, so that they can be counted and paged through.
 */

export const fields = ['title', 'tags', 'content'] as const
export type Field = (typeof fields)[number]

/** What a word in the field is worth; in the content a single one is worth less than 1, many come near it. */
const weights: Record<Field, number> = { title: 3, tags: 2, content: 1 }
const flags: Record<Field, number> = { title: 1, tags: 2, content: 4 }
/** BM25's customary constants, not measured here. */
const k1 = 1.2
const b = 0.75

export interface FieldHit {
  itemId: string
  score: number
  /** The fields that hold a word of the question, in the order of `fields`. */
  matchedIn: Field[]
}

export interface FieldResult {
  hits: FieldHit[]
  /** All items that match, the page apart. */
  total: number
}

/** What one question has found so far, by slot; `matched` are the slots, each once. */
interface Found {
  index: VaultIndex
  asked: number
  scores: Float64Array
  fields: Uint8Array
  matched: number[]
  passes: SlotTest
}

/**
 * The items that hold a word of the question in one of the fields, best first; of equal ones the newer. Days that a
 * question names count as words, and no day but one that a text writes out.
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

/** Postings that one search walks, 40 to 75 ms; the words beyond, the least telling ones, are passed over. */
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

/** The slots that the postings do not cover yet. */
function walkNewest(found: Found, { terms, weights: termWeights }: QueryTerms): void {
  const { words } = found.index.parts
  const places = new Map(Array.from(terms, (term, i) => [term, i]))
  const takers = Array.from(terms, (term, i) => takerOf(found, term, termWeights[i] as number))
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

/** Scores slots for a term. `count` is how often the slot holds it, in header and text together. */
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

/** How often the term stands in the header, and in which fields of it. */
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
