import type { Entry, EntryVectors } from './entry.ts'
import { tagBytes } from './entry.ts'
import { filterTest, type SlotTest } from './live.ts'
import { slotsWithText } from './same-text.ts'
import { tagWords } from './tag-table.ts'
import type { VaultIndex } from './vault-index.ts'
import { termMask } from './words.ts'

/** The few live items that may say the same as an entry. What they say decides; that lies elsewhere. */
export interface LikeItem {
  itemId: string
  /** Distinct words in common, as a share of those of both texts. */
  jaccard: number
  /** Undefined unless both have exactly one vector, and of one model: that of a part says little of the whole. */
  cosine: number | undefined
  sharesEntity: boolean
}

export interface LikeQuery {
  type: string
  asOf: number
  leastJaccard: number
  leastCosine: number
}

/** Items of each kind of likeness that are worth reading. */
const maxEach = 8
/** Items whose words are compared, the newest first: 1 ms. */
const maxCompared = 5_000

/** In no particular order: items with the same text, those of nearly the same words, and those nearest in meaning. */
export function likeItems(index: VaultIndex, entry: Entry, query: LikeQuery): LikeItem[] {
  const filter = { kinds: ['memory'], types: [query.type], includeArchived: false, asOf: query.asOf }
  const passes = filterTest(index, { ...filter, isRetrospective: false })
  const sharesEntity =
    entry.entities.length === 0
      ? () => false
      : filterTest(index, { ...filter, isRetrospective: false, entityTags: entry.entities })
  const words = new TextWords(index, entry)
  const cosines = nearestInMeaning(index, entry.vectors, query.leastCosine, passes)
  const slots = new Set([
    ...(entry.textTag === undefined ? [] : slotsWithText(index, entry.textTag).filter(passes).slice(0, maxEach)),
    ...words.nearest(query.leastJaccard, passes),
    ...cosines.keys(),
  ])
  return Array.from(slots, (slot) => ({
    itemId: index.itemIdOf(slot),
    jaccard: words.jaccard(slot),
    cosine: cosines.get(slot),
    sharesEntity: sharesEntity(slot),
  }))
}

/** The distinct words of an entry's text, as terms of the index. */
class TextWords {
  readonly #index: VaultIndex
  readonly #terms: Set<number>
  /** With those that the index has never seen. */
  readonly #count: number

  constructor(index: VaultIndex, entry: Entry) {
    const { terms } = index.parts.words
    const tags = tagWords(entry.tags)
    const places = new Set(entry.text)
    this.#index = index
    this.#terms = new Set(
      [...places].map((place) => terms.find(tags, place * (tagBytes / 4))).filter((term) => term >= 0),
    )
    this.#count = places.size
  }

  /** 0 where neither has a word. */
  jaccard(slot: number): number {
    const { words } = this.#index.parts
    const seen = new Set<number>()
    let common = 0
    const start = words.startOf(slot) + (words.headerLengths[slot] as number)
    for (let at = start; at < (words.ends[slot] as number); at++) {
      const term = (words.sequence[at] as number) & termMask
      if (seen.has(term)) continue
      seen.add(term)
      if (this.#terms.has(term)) common++
    }
    return common / Math.max(1, this.#count + seen.size - common)
  }

  /**
   * The slots whose texts have at least this share of words in common. Such a text lacks few of the entry's words, and so
   * holds one of the few rarest: only texts with one of those are compared.
   */
  nearest(least: number, passes: SlotTest): number[] {
    const dispensable = this.#count - Math.ceil(this.#count * least) + 1
    const unknown = this.#count - this.#terms.size
    if (this.#count === 0 || unknown >= dispensable) return []
    const { words } = this.#index.parts
    const rarest = [...this.#terms]
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
    const take = (slot: number) => {
      if ((words.distinct[slot] as number) >= leastWords && passes(slot)) found.add(slot)
      return found.size < maxCompared
    }
    const wanted = new Set(terms)
    // Newest first: the slots that the postings do not cover yet, then the postings.
    for (let slot = words.slotCount - 1; slot >= words.builtSlots; slot--)
      if (this.#holdsAny(slot, wanted) && !take(slot)) return found
    for (const term of terms) {
      if (term + 1 >= words.postingStarts.length) continue
      const from = words.postingStarts[term] as number
      for (let posting = (words.postingStarts[term + 1] as number) - 1; posting >= from; posting--)
        if (!take(words.postingSlots[posting] as number)) return found
    }
    return found
  }

  #holdsAny(slot: number, terms: ReadonlySet<number>): boolean {
    const { words } = this.#index.parts
    for (let at = words.startOf(slot); at < (words.ends[slot] as number); at++)
      if (terms.has((words.sequence[at] as number) & termMask)) return true
    return false
  }
}

/** The slots of one vector that are nearest to the entry's one vector, with their cosines. */
function nearestInMeaning(
  index: VaultIndex,
  vectors: EntryVectors | undefined,
  least: number,
  passes: SlotTest,
): Map<number, number> {
  const [scale = 0] = vectors?.scales ?? []
  const block = vectors && index.vectorsOf(vectors.modelId, vectors.dims)
  if (vectors?.scales.length !== 1 || scale === 0 || block === undefined) return new Map()
  const found: [number, number][] = []
  block.scan({ row: vectors.rows, scale }, (firstRow, cosines) => {
    const { rowSlots } = block
    for (let i = 0; i < cosines.length; i++) {
      if ((cosines[i] as number) < least) continue
      const row = firstRow + i
      const slot = rowSlots[row] as number
      const isAlone = rowSlots[row - 1] !== slot && (row + 1 === block.rowCount || rowSlots[row + 1] !== slot)
      if (isAlone && passes(slot)) found.push([slot, cosines[i] as number])
    }
  })
  return new Map(found.toSorted(([slotA, a], [slotB, b]) => b - a || slotB - slotA).slice(0, maxEach))
}
