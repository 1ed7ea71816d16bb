import type { Entry } from '../stored/entry.ts'
import { grow, TagTable, tagWords } from './tag-table.ts'
import type { Pieces } from '../../core/in-pieces.ts'

/**
 * The keyed words of all items of a vault: forward (the term numbers of each slot, header before text) and inverted (postings, one array
 * for all terms). Postings cover the slots below `builtSlots`. The few slots above are searched through their sequences, so an insert
 * only costs its own words; once they are many, or have been read often, the postings are rebuilt. A slot is never overwritten; removal
 * only changes the counts.
 */

/** Set on the first occurrence of a term in a slot, so that counting and inverting need no set of seen terms. */
export const firstBit = 0x80000000
export const termMask = 0x7fffffff

/**
 * Words outside the postings that a search may have to read, by each of its legs. In a vault of 2,000 memories (120,000 words) a search
 * takes 2.4 to 3.0 ms of processor time; 3.5 to 4.2 ms with 131,072, and 2.7 to 3.2 ms with 16,384.
 */
const maxTailTerms = 32_768
/** In larger vaults the tail may be this share of the whole, so that rebuilding stays cheap per insert. */
const maxTailShare = 1 / 16

/** Walking a word takes 1.4 to 3 ns, rebuilding its posting 19 ns. */
const wordsWalkedPerInverted = 8

/** Words between two yields: 1 ms of work. A slot may have 100,000, most have about 50. */
export const wordStride = 65_536

export interface WordArrays {
  termKeys: Uint32Array
  sequence: Uint32Array
  /** The end of each slot's sequence. */
  ends: Uint32Array
  headerLengths: Uint16Array
  speakerLengths: Uint8Array
}

export class WordIndex {
  readonly terms: TagTable
  slotCount = 0
  liveSlots = 0
  liveLength = 0
  sequence: Uint32Array = new Uint32Array(0)
  ends: Uint32Array = new Uint32Array(0)
  headerLengths: Uint16Array = new Uint16Array(0)
  speakerLengths: Uint8Array = new Uint8Array(0)
  /** The number of distinct terms of each slot. */
  distinct: Uint16Array = new Uint16Array(0)
  /** How often live slots have the term in their speaker's name. */
  speakerCounts: Uint32Array = new Uint32Array(0)
  /** The number of live slots with the term. */
  documentCounts: Uint32Array = new Uint32Array(0)
  postingStarts: Uint32Array = new Uint32Array(1)
  postingSlots: Uint32Array = new Uint32Array(0)
  /** Occurrences of the term in the slot, at most 255. */
  postingCounts: Uint8Array = new Uint8Array(0)
  builtSlots = 0
  /** Words outside the postings that have been walked since these were built. */
  #walked = 0

  constructor(terms = new TagTable(2)) {
    this.terms = terms
  }

  /** Builds the index from these arrays and takes them over, in pieces. All slots are live. */
  static *of(arrays: WordArrays): Pieces<WordIndex> {
    const words = new WordIndex(yield* TagTable.of(2, arrays.termKeys))
    words.slotCount = arrays.ends.length
    words.sequence = arrays.sequence
    words.ends = arrays.ends
    words.headerLengths = arrays.headerLengths
    words.speakerLengths = arrays.speakerLengths
    words.distinct = new Uint16Array(words.slotCount)
    words.speakerCounts = new Uint32Array(words.terms.count)
    for (let slot = 0; slot < words.slotCount; slot++) {
      if (slot % 8192 === 0) yield
      words.#countSpeaker(slot, 1)
    }
    yield* words.invert()
    words.liveSlots = words.slotCount
    words.liveLength = words.sequenceLength
    words.documentCounts = words.postingStarts.map((start, term) => (words.postingStarts[term + 1] ?? start) - start)
    return words
  }

  get sequenceLength(): number {
    return this.startOf(this.slotCount)
  }

  startOf(slot: number): number {
    return slot === 0 ? 0 : (this.ends[slot - 1] as number)
  }

  lengthOf(slot: number): number {
    return (this.ends[slot] as number) - this.startOf(slot)
  }

  /** Appends an item's words as the next slot, and returns the terms of the entry's tags. */
  add(entry: Entry): Uint32Array {
    const tags = tagWords(entry.tags)
    const termOf = new Uint32Array(tags.length / 2)
    for (let i = 0; i < termOf.length; i++) termOf[i] = this.terms.add(tags, i * 2)
    this.documentCounts = grow(this.documentCounts, this.terms.count)
    this.speakerCounts = grow(this.speakerCounts, this.terms.count)
    this.#appendSequence(entry, termOf)
    const slot = this.slotCount++
    this.headerLengths = grow(this.headerLengths, this.slotCount)
    this.speakerLengths = grow(this.speakerLengths, this.slotCount)
    // Words beyond these lengths are still found, as words of the text.
    this.headerLengths[slot] = Math.min(entry.header.length, 65_535)
    this.speakerLengths[slot] = Math.min(entry.speakerWords, 255)
    this.#countSpeaker(slot, 1)
    this.#count(slot, 1)
    return termOf
  }

  #appendSequence(entry: Entry, termOf: Uint32Array): void {
    const start = this.sequenceLength
    const length = entry.header.length + entry.text.length
    this.sequence = grow(this.sequence, start + length)
    this.ends = grow(this.ends, this.slotCount + 1)
    this.distinct = grow(this.distinct, this.slotCount + 1)
    const seen = new Uint8Array(termOf.length)
    let at = start
    for (const places of [entry.header, entry.text]) {
      for (const place of places) {
        this.sequence[at++] = (termOf[place] as number) | (seen[place] === 0 ? firstBit : 0)
        seen[place] = 1
      }
    }
    this.ends[this.slotCount] = at
  }

  #countSpeaker(slot: number, sign: 1 | -1): void {
    const start = this.startOf(slot)
    for (let at = start, end = start + (this.speakerLengths[slot] as number); at < end; at++) {
      const term = (this.sequence[at] as number) & termMask
      this.speakerCounts[term] = (this.speakerCounts[term] as number) + sign
    }
  }

  /** The words outside the postings. */
  get #tailLength(): number {
    return this.sequenceLength - this.startOf(this.builtSlots)
  }

  /** Whether the words outside the postings slow down searches. */
  get hasLongTail(): boolean {
    return this.#tailLength > Math.max(maxTailTerms, this.startOf(this.builtSlots) * maxTailShare)
  }

  /** Call before walking the words outside the postings. */
  countWalk(): void {
    this.#walked += this.#tailLength
  }

  /**
   * Whether walking the words outside the postings has cost as much as a rebuild would. A vault that is mostly read is rebuilt after some
   * searches, one that is mostly written seldom. Among 1,000 memories, walking them took 7 % of a search's processor time.
   */
  get isWorthInverting(): boolean {
    return this.#walked > this.sequenceLength * wordsWalkedPerInverted
  }

  /** Adds a slot to the counts (1) or removes it (-1). */
  #count(slot: number, sign: 1 | -1): void {
    let distinct = 0
    for (let at = this.startOf(slot), end = this.ends[slot] as number; at < end; at++) {
      const word = this.sequence[at] as number
      if (word < firstBit) continue
      const term = word & termMask
      this.documentCounts[term] = (this.documentCounts[term] as number) + sign
      distinct++
    }
    this.distinct[slot] = Math.min(distinct, 65_535)
    this.liveSlots += sign
    this.liveLength += sign * this.lengthOf(slot)
  }

  remove(slot: number): void {
    this.#count(slot, -1)
    this.#countSpeaker(slot, -1)
  }

  /**
   * Rebuilds the postings of the current slots by counting sort: about 10 ns per posting. Searches between the pieces use the old
   * postings, and slots added in the meantime stay in the tail.
   */
  *invert(): Pieces<void> {
    const slotCount = this.slotCount
    const starts = new Uint32Array(this.terms.count + 1)
    for (let slot = 0, at = 0, restAt = 0; slot < slotCount; slot++) {
      if (at >= restAt) {
        yield
        restAt = at + wordStride
      }
      const { sequence } = this
      for (const end = this.ends[slot] as number; at < end; at++) {
        const word = sequence[at] as number
        if (word < firstBit) continue
        const next = (word & termMask) + 1
        starts[next] = (starts[next] as number) + 1
      }
    }
    for (let term = 1; term < starts.length; term++)
      starts[term] = (starts[term] as number) + (starts[term - 1] as number)
    const { slots, counts } = yield* this.#postings(slotCount, starts)
    // Another rebuild, which began later, has ended in the meantime.
    if (slotCount < this.builtSlots) return
    this.postingStarts = starts
    this.postingSlots = slots
    this.postingCounts = counts
    this.builtSlots = slotCount
    this.#walked = 0
  }

  *#postings(slotCount: number, starts: Uint32Array): Pieces<{ slots: Uint32Array; counts: Uint8Array }> {
    const next = starts.slice()
    const total = starts.at(-1) ?? 0
    const slots = new Uint32Array(total)
    const counts = new Uint8Array(total)
    for (let slot = 0, at = 0, restAt = 0; slot < slotCount; slot++) {
      if (at >= restAt) {
        yield
        restAt = at + wordStride
      }
      const { sequence } = this
      let distinct = 0
      for (const end = this.ends[slot] as number; at < end; at++) {
        const word = sequence[at] as number
        const term = word & termMask
        const place = next[term] as number
        if (word >= firstBit) {
          slots[place] = slot
          counts[place] = 1
          next[term] = place + 1
          distinct++
        } else if ((counts[place - 1] as number) < 255) {
          counts[place - 1] = (counts[place - 1] as number) + 1
        }
      }
      this.distinct[slot] = Math.min(distinct, 65_535)
    }
    return { slots, counts }
  }

  /** The mean length of live items, for BM25; never 0. */
  get meanLength(): number {
    return Math.max(1, this.liveLength / Math.max(1, this.liveSlots))
  }

  get bytes(): number {
    let bytes = this.terms.bytes
    for (const array of this.#arrays()) bytes += array.byteLength
    return bytes
  }

  #arrays(): (Uint8Array | Uint16Array | Uint32Array)[] {
    const { sequence, ends, headerLengths, speakerLengths, distinct, documentCounts, speakerCounts } = this
    const postings = [this.postingStarts, this.postingSlots, this.postingCounts]
    return [sequence, ends, headerLengths, speakerLengths, distinct, documentCounts, speakerCounts, ...postings]
  }

  wipe(): void {
    this.terms.wipe()
    for (const array of this.#arrays()) array.fill(0)
  }
}
