import type { SlotTest } from '../live.ts'
import type { Bearing } from '../parts/names.ts'
import type { VaultIndex } from '../vault-index.ts'
import { firstBit, termMask } from '../parts/words.ts'

/**
 * Implicit links between an item and the items that its text names, or whose texts name it. They are found at query time, so renames,
 * deletions and writes by other servers need no update. The cost for a search is bounded for any texts.
 *
 * Measurements are recall@10 / nDCG@10 / all evidence in the first ten on 2WikiMultihop, as notes. With the values below:
 * 95.5/86.6/92.1, without mentions 69.1/70.9/36.6.
 */

/** Words at the start of a text that are searched for names. */
const maxWordsRead = 4096
/** A name of more items is a topic and identifies none of them. 4 to 64 change nothing. */
const maxBearers = 16
/** Most items with a name that are read, for one name and for all names of a search, including those that don't count. */
const maxBearersOfName = 4096
const maxBearersOfAll = 65_536
/**
 * A single word in more items than this, and in more than this share of the vault, is an ordinary word. 10: 95.5/86.9/92.1; 40:
 * 94.8/85.7/90.1; any number: 90.8/81.6/79.2.
 */
const commonCount = 20
const commonShare = 0.002

/** The slots linked to a slot by names. True if one of the two is named by the other, false if both are about the same entity. */
export type Mentions = Map<number, boolean>

/** One search for mentions. */
interface MentionSearch {
  index: VaultIndex
  /** Whether an item can be linked. Archived items are neither linked nor counted for a name. */
  counts: SlotTest
  bearersLeft: number
}

/** A name of a seed, and whether it identifies the seed. */
interface OwnName {
  name: number
  seed: number
  isTitle: boolean
}

/** The slots linked to each seed, only those that count and not the seed itself. */
export function findMentions(index: VaultIndex, seeds: readonly number[], counts: SlotTest): Map<number, Mentions> {
  const search: MentionSearch = { index, counts, bearersLeft: maxBearersOfAll }
  const linked = new Map<number, Mentions>()
  const ownNames: OwnName[] = []
  for (const seed of seeds) {
    const mentions: Mentions = new Map()
    linked.set(seed, mentions)
    ownNames.push(...linkBearers(search, seed, mentions))
  }
  const texts = new NamedTexts(
    index,
    ownNames.map(({ name }) => name),
    counts,
  )
  for (const { name, seed, isTitle } of ownNames) link(linked.get(seed), seed, texts.of(name), isTitle)
  return linked
}

function link(mentions: Mentions | undefined, seed: number, others: readonly number[], isNamed: boolean): void {
  for (const slot of others) if (slot !== seed) mentions?.set(slot, isNamed || mentions.get(slot) === true)
}

/** Links a seed to the items whose names its text contains, and to items with its own names. Returns its own names. */
function linkBearers(search: MentionSearch, seed: number, mentions: Mentions): OwnName[] {
  const ownNames: OwnName[] = []
  const isTitled = isTitledSlot(search.index, seed)
  eachNameOf(search, seed, (name, isOwn) => {
    const about = bearersOf(search, name, 'entity', isOwn && isTitled ? maxTexts : maxBearers)
    const isTitle = isSubjectOfOne(search.index, name, about)
    link(mentions, seed, bearersOf(search, name, 'title', maxBearers), true)
    link(mentions, seed, about, isTitle || (isOwn && isTitled))
    if (isOwn) ownNames.push({ name, seed, isTitle: isTitle || isTitled })
  })
  return ownNames
}

const isTitledSlot = (index: VaultIndex, slot: number): boolean => index.parts.titles.of(slot).titleWords > 0

/**
 * Whether an entity is as good as a title: only one item has it, and that item has no other entity. With memories instead of notes
 * 94.3/86.9/89.1, without this rule 72.8/71.8/43.6. Without the condition of a single entity it cost 2.6 points on LifeBench, with the
 * names in its texts as entities. A single word may be an ordinary word in some language, so it lends little: 93.3/86.5/87.1.
 */
function isSubjectOfOne(index: VaultIndex, name: number, bearers: readonly number[]): boolean {
  if (index.parts.names.termsOf(name).length === 1) return false
  const [slot = 0, ...others] = bearers
  const { entityEnds } = index.parts
  const first = slot === 0 ? 0 : (entityEnds[slot - 1] as number)
  return bearers.length > 0 && others.length === 0 && (entityEnds[slot] as number) - first === 1
}

/** Visits each name in the slot's text, and its own names, once. Skips ordinary words. */
function eachNameOf(search: MentionSearch, slot: number, visit: (name: number, isOwn: boolean) => void): void {
  const { index } = search
  const { names, words } = index.parts
  const bearing = isTitledSlot(index, slot) ? 'title' : 'entity'
  const start = words.startOf(slot)
  const textAt = index.textStartOf(slot) - start
  const end = Math.min(words.ends[slot] as number, start + textAt + maxWordsRead)
  const terms = words.sequence.slice(start, end).map((word) => word & termMask)
  const seen = new Set<number>()
  for (let at = words.speakerLengths[slot] as number; at < terms.length; at++) {
    names.eachNameAt(terms, at, (name) => {
      if (seen.has(name) || isCommonWord(index, name)) return
      const isOwn = bearersOf(search, name, bearing, maxBearers).includes(slot)
      // In the header only its own names count; other words there are days and tags.
      if (at < textAt && !isOwn) return
      seen.add(name)
      visit(name, isOwn)
    })
  }
}

function isCommonWord(index: VaultIndex, name: number): boolean {
  const { names, words } = index.parts
  const [first = 0, ...others] = names.termsOf(name)
  const most = Math.max(commonCount, words.liveSlots * commonShare)
  return others.length === 0 && (words.documentCounts[first] as number) > most
}

/** The slots with a name that count. Empty if there are more than `most`, or too many to read. */
function bearersOf(search: MentionSearch, name: number, bearing: Bearing, most: number): readonly number[] {
  const bearers: number[] = []
  let left = Math.min(maxBearersOfName, search.bearersLeft)
  search.index.parts.names.eachBearer(name, bearing, (slot) => {
    left--
    search.bearersLeft--
    if (search.counts(slot)) bearers.push(slot)
    return left > 0 && bearers.length <= most
  })
  return left <= 0 || bearers.length > most ? [] : bearers
}

/** If more items contain the rarest word of a name, its texts are not searched. 256 was enough for 6,000 notes. */
const maxPostings = 1024
/** A name in more texts says little about each. 16: nDCG@10 86.4; 32 and 128: 86.6. */
const maxTexts = 64
/** Words that one search compares with names: 0.3 ms. 8,192 change nothing for 6,000 notes. */
const maxWordsCompared = 131_072

/** Finds the slots whose texts contain some names: through the postings of each name's rarest word, and one pass over the newest slots. */
class NamedTexts {
  readonly #index: VaultIndex
  readonly #counts: SlotTest
  readonly #found = new Map<number, number[]>()
  #wordsLeft = maxWordsCompared

  constructor(index: VaultIndex, names: readonly number[], counts: SlotTest) {
    this.#index = index
    this.#counts = counts
    const { words } = index.parts
    const byTerm = new Map<number, number[]>()
    for (const name of names) {
      const term = this.#rarestTerm(name)
      if (this.#found.has(name) || (words.documentCounts[term] as number) > maxPostings) continue
      this.#found.set(name, [])
      byTerm.set(term, [...(byTerm.get(term) ?? []), name])
    }
    for (const [term, sought] of byTerm) this.#walkPostings(term, sought)
    if (byTerm.size > 0 && words.builtSlots < words.slotCount) this.#walkNewest(byTerm)
  }

  /** Empty if too many texts contain the name. */
  of(name: number): readonly number[] {
    const found = this.#found.get(name) ?? []
    return found.length > maxTexts ? [] : found
  }

  #rarestTerm(name: number): number {
    const { names, words } = this.#index.parts
    const count = (term: number) => words.documentCounts[term] as number
    return names.termsOf(name).reduce((rarest, term) => (count(term) < count(rarest) ? term : rarest))
  }

  #walkPostings(term: number, names: readonly number[]): void {
    const { postingStarts, postingSlots } = this.#index.parts.words
    if (term + 1 >= postingStarts.length) return
    for (let at = postingStarts[term] as number; at < (postingStarts[term + 1] as number); at++) {
      this.#compare(postingSlots[at] as number, names)
    }
  }

  /** The slots that are not in the postings yet. */
  #walkNewest(byTerm: ReadonlyMap<number, readonly number[]>): void {
    const { words } = this.#index.parts
    words.countWalk()
    const isSought = new Uint8Array(words.terms.count)
    for (const term of byTerm.keys()) isSought[term] = 1
    let at = words.startOf(words.builtSlots)
    for (let slot = words.builtSlots; slot < words.slotCount; slot++) {
      for (const end = words.ends[slot] as number; at < end; at++) {
        const word = words.sequence[at] as number
        // Each term of a slot once.
        if (word >= firstBit && isSought[word & termMask] === 1) this.#compare(slot, byTerm.get(word & termMask) ?? [])
      }
    }
  }

  #compare(slot: number, names: readonly number[]): void {
    if (!this.#counts(slot)) return
    for (const name of names) {
      const found = this.#found.get(name)
      if (found !== undefined && found.length <= maxTexts && this.#holds(slot, name)) found.push(slot)
    }
  }

  #holds(slot: number, name: number): boolean {
    const { names, words } = this.#index.parts
    const { sequence } = words
    const terms = names.termsOf(name)
    const start = this.#index.textStartOf(slot)
    const last = Math.min((words.ends[slot] as number) - terms.length, start + this.#wordsLeft)
    const [first] = terms
    const isAt = (at: number) => terms.every((term, i) => ((sequence[at + i] as number) & termMask) === term)
    let at = start
    while (at <= last && !(((sequence[at] as number) & termMask) === first && isAt(at))) at++
    this.#wordsLeft = Math.max(0, this.#wordsLeft - (at - start))
    return at <= last
  }
}
