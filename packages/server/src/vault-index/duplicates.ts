import { type Entry, tagBytes, type QuantizedVector } from './stored/entry.ts'
import { filterTest, type SlotTest } from './live.ts'
import type { VectorBlock } from './parts/vectors.ts'
import { tagWords } from './parts/tag-table.ts'
import { newerFirst, type VaultIndex } from './vault-index.ts'
import { TopSlots } from './legs/top-slots.ts'
import { termMask, type WordIndex } from './parts/words.ts'

/** Finds the few live items that may say the same as an entry. Whether they do is decided by their texts, in memories/dedup.ts. */
export interface LikeItem {
  itemId: string
  /** The same text but for letter case and white space. */
  hasSameText: boolean
  /** Shared distinct words as a share of all distinct words of both texts. */
  jaccard: number
  /** Undefined unless both have exactly one vector by the requested model: a chunk's vector says little about the whole. */
  cosine: number | undefined
  sharesEntity: boolean
}

export interface LikeQuery {
  type: string
  asOf: number
  leastJaccard: number
  /** The model whose vectors are compared. Undefined compares no vectors. */
  modelId: string | undefined
  leastCosine: number
}

/** The most items returned for each kind of similarity. */
const maxEach = 8
/** After so many words of other texts no further ones are compared: 1 ms for 5,000 short texts as for 30 of 100 kB. */
const maxComparedWords = 500_000

/** Items with the same text, with nearly the same words, and nearest in meaning, in any order. */
export function likeItems(index: VaultIndex, entry: Entry, query: LikeQuery): LikeItem[] {
  const { terms } = index.parts.words
  const tags = tagWords(entry.tags)
  const places = [...new Set(entry.text)]
  const [scale = 0] = entry.vectors?.scales ?? []
  return findLike(index, query, {
    terms: places.map((place) => terms.find(tags, place * (tagBytes / 4))).filter((term) => term >= 0),
    wordCount: places.length,
    textTag: entry.textTag,
    entities: entry.entities,
    vector: entry.vectors?.scales.length === 1 ? { ...entry.vectors, row: entry.vectors.rows, scale } : undefined,
  })
}

/** The same for an item of the index, without the item itself. Empty if the id isn't a live item. */
export function itemsLike(index: VaultIndex, itemId: string, query: LikeQuery): LikeItem[] {
  const slot = index.slotOf(itemId)
  if (slot < 0) return []
  const { words, textTags, entities, entityNumbers, entityEnds } = index.parts
  const terms = termsOf(words, slot)
  const named = entityNumbers.subarray(slot === 0 ? 0 : entityEnds[slot - 1], entityEnds[slot])
  const probe: Probe = {
    terms: [...terms],
    wordCount: terms.size,
    // All zeros means that the record has no tag.
    textTag: textTags[slot * 2] === 0 && textTags[slot * 2 + 1] === 0 ? undefined : tagsOf(pairOf(textTags, slot)),
    entities: Buffer.concat(Array.from(named, (number) => tagsOf(pairOf(entities.keys, number)))),
    vector: index.parts.vectors
      .filter(({ modelId }) => modelId === query.modelId)
      .map((block) => onlyVector(block, slot))
      .find((vector) => vector !== undefined),
  }
  return findLike(index, query, probe).filter((item) => item.itemId !== itemId)
}

/** The inverse of `tagWords`. */
const tagsOf = (keys: Uint32Array) => new Uint8Array(keys.slice().buffer)

const pairOf = (keys: Uint32Array, number: number) => keys.subarray(number * 2, number * 2 + 2)

function onlyVector(block: VectorBlock, slot: number): ProbeVector | undefined {
  const row = block.firstRowOf(slot)
  if (row < 0 || !isAlone(block, row)) return undefined
  const { modelId, dims } = block
  const held = block.rowOf(row)
  return { modelId, dims, row: held.row.slice(), scale: held.scale }
}

/** What is searched for, in the numbers of this index. */
interface Probe {
  /** Distinct terms of the text that the index knows. */
  terms: readonly number[]
  /** The number of all distinct words, known or not. */
  wordCount: number
  textTag: Uint8Array | undefined
  entities: Uint8Array
  /** Only if one vector covers the whole text. */
  vector: ProbeVector | undefined
}

interface ProbeVector extends QuantizedVector {
  modelId: string
  dims: number
}

function findLike(index: VaultIndex, query: LikeQuery, { textTag, entities, vector, ...probe }: Probe): LikeItem[] {
  const filter = {
    kinds: ['memory'],
    types: [query.type],
    includeArchived: false,
    asOf: query.asOf,
    isRetrospective: false,
  }
  const passes = filterTest(index, filter)
  const sharesEntity = entities.length === 0 ? () => false : filterTest(index, { ...filter, entityTags: entities })
  const words = new TextWords(index, probe)
  const comparable = vector?.modelId === query.modelId ? vector : undefined
  const cosines = nearestInMeaning(index, comparable, query.leastCosine, passes)
  const same = new Set(textTag === undefined ? [] : slotsWithText(index, textTag).filter(passes).slice(0, maxEach))
  const slots = new Set([...same, ...words.nearest(query.leastJaccard, passes), ...cosines.keys()])
  return Array.from(slots, (slot) => ({
    itemId: index.itemIdOf(slot),
    hasSameText: same.has(slot),
    jaccard: words.jaccard(slot),
    cosine: cosines.get(slot),
    sharesEntity: sharesEntity(slot),
  }))
}

/** Distinct terms of a slot's text. */
function termsOf(words: WordIndex, slot: number): Set<number> {
  const terms = new Set<number>()
  const start = words.startOf(slot) + (words.headerLengths[slot] as number)
  for (let at = start; at < (words.ends[slot] as number); at++) terms.add((words.sequence[at] as number) & termMask)
  return terms
}

/** Counts shared words with flags and stamps in arrays; sets took five times as long. */
class TextWords {
  readonly #index: VaultIndex
  readonly #terms: readonly number[]
  readonly #count: number
  /** 1 for the terms of the text. */
  readonly #isHeld: Uint8Array
  /** The number of the comparison in which a term was last seen. */
  readonly #seenIn: Uint32Array
  #comparison = 0

  constructor(index: VaultIndex, { terms, wordCount }: Pick<Probe, 'terms' | 'wordCount'>) {
    const known = index.parts.words.terms.count
    this.#index = index
    this.#terms = terms
    this.#count = wordCount
    this.#isHeld = new Uint8Array(known)
    this.#seenIn = new Uint32Array(known)
    for (const term of terms) this.#isHeld[term] = 1
  }

  /** 0 if neither has words. */
  jaccard(slot: number): number {
    const { sequence, ends, headerLengths } = this.#index.parts.words
    const [isHeld, seenIn, comparison] = [this.#isHeld, this.#seenIn, ++this.#comparison]
    let [distinct, common] = [0, 0]
    const start = this.#index.parts.words.startOf(slot) + (headerLengths[slot] as number)
    for (let at = start, end = ends[slot] as number; at < end; at++) {
      const term = (sequence[at] as number) & termMask
      if (seenIn[term] === comparison) continue
      seenIn[term] = comparison
      distinct++
      common += isHeld[term] as number
    }
    return common / Math.max(1, this.#count + distinct - common)
  }

  /**
   * The slots with at least this share of words in common. Such a text lacks only a few of the entry's words, so it contains at least
   * one of the rarest. Only texts with one of those are compared.
   */
  nearest(least: number, passes: SlotTest): number[] {
    const dispensable = this.#count - Math.ceil(this.#count * least) + 1
    const unknown = this.#count - this.#terms.length
    if (this.#count === 0 || unknown >= dispensable) return []
    const { words } = this.#index.parts
    const rarest = this.#terms
      .toSorted((a, b) => (words.documentCounts[a] as number) - (words.documentCounts[b] as number))
      .slice(0, dispensable - unknown)
    const near: { slot: number; jaccard: number }[] = []
    for (const slot of this.#holding(rarest, least * this.#count, passes)) {
      const jaccard = this.jaccard(slot)
      if (jaccard >= least) near.push({ slot, jaccard })
    }
    return near
      .toSorted((a, b) => b.jaccard - a.jaccard || b.slot - a.slot)
      .slice(0, maxEach)
      .map(({ slot }) => slot)
  }

  #holding(terms: readonly number[], leastWords: number, passes: SlotTest): Set<number> {
    const { words } = this.#index.parts
    const found = new Set<number>()
    let compared = 0
    const take = (slot: number) => {
      if ((words.distinct[slot] as number) < leastWords || found.has(slot) || !passes(slot)) return true
      found.add(slot)
      compared += words.lengthOf(slot)
      return compared < maxComparedWords
    }
    const isWanted = new Uint8Array(words.terms.count)
    for (const term of terms) isWanted[term] = 1
    words.countWalk()
    // Newest first: slots that aren't in the postings yet, then the postings.
    for (let slot = words.slotCount - 1; slot >= words.builtSlots; slot--)
      if (this.#holdsAny(slot, isWanted) && !take(slot)) return found
    for (const term of terms) {
      if (term + 1 >= words.postingStarts.length) continue
      const from = words.postingStarts[term] as number
      for (let posting = (words.postingStarts[term + 1] as number) - 1; posting >= from; posting--)
        if (!take(words.postingSlots[posting] as number)) return found
    }
    return found
  }

  #holdsAny(slot: number, isWanted: Uint8Array): boolean {
    const { sequence, ends } = this.#index.parts.words
    for (let at = this.#index.parts.words.startOf(slot), end = ends[slot] as number; at < end; at++)
      if (isWanted[(sequence[at] as number) & termMask] === 1) return true
    return false
  }
}

const nearest = new TopSlots(maxEach)

/** The nearest slots with exactly one vector, and their cosines. */
function nearestInMeaning(
  index: VaultIndex,
  vector: ProbeVector | undefined,
  least: number,
  passes: SlotTest,
): Map<number, number> {
  const block = vector && index.vectorsOf(vector.modelId, vector.dims)
  if (vector === undefined || vector.scale === 0 || block === undefined) return new Map()
  nearest.start(maxEach, newerFirst(index))
  const cosines = block.scan(vector)
  for (let row = 0; row < cosines.length; row++) {
    const cosine = cosines[row] as number
    if (cosine < least || cosine < nearest.floor) continue
    const slot = block.rowSlots[row] as number
    if (isAlone(block, row) && passes(slot)) nearest.offer(slot, cosine)
  }
  return new Map(nearest.take().map(({ slot, score }) => [slot, score]))
}

/** Whether this is the only row of its item. */
const isAlone = ({ rowSlots, rowCount }: VectorBlock, row: number): boolean =>
  rowSlots[row - 1] !== rowSlots[row] && (row + 1 === rowCount || rowSlots[row + 1] !== rowSlots[row])

/**
 * The live slots whose `exactText` has this tag (see `keyText`), oldest first. Reads all slots: 0.1 ms for 100,000, for which a hash
 * table would need 3 MB.
 */
export function slotsWithText(index: VaultIndex, tag: Uint8Array): number[] {
  const { textTags } = index.parts
  const [low = 0, high = 0] = tagWords(tag)
  const found: number[] = []
  for (let slot = 0; slot < index.slotCount; slot++) {
    if (textTags[slot * 2] !== low || textTags[slot * 2 + 1] !== high) continue
    if (index.alive[slot] === 1) found.push(slot)
  }
  return found
}
