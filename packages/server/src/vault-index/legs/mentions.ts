import type { SlotTest } from '../live.ts'
import type { Bearing } from '../parts/names.ts'
import type { VaultIndex } from '../vault-index.ts'
import { termMask } from '../parts/words.ts'

/**
 * Links that nobody made: between an item and those that its text names, and those whose texts name it. Found in the index
 * at the moment of asking, so that renames, deletions and what other servers write are right by themselves. What a search
 * pays for them is bounded, whatever the texts are like.
 *
 * Measurements are recall@10 / nDCG@10 / all evidence in the first ten on 2WikiMultihop, as notes; all as below:
 * 95.5/86.6/92.1, without mentions 69.1/70.9/36.6.
 */

/** Words of a text, from its beginning, in which names are looked for. */
const maxWordsRead = 4096
/** A name that more items bear is a subject and tells none of them apart. 4 to 64 change nothing there. */
const maxBearers = 16
/** Bearers of a name, and of all names of one search, that are looked at: others than those that count are among them. */
const maxBearersOfName = 4096
const maxBearersOfAll = 65_536
/**
 * A single word that more items hold, and more than this part of the vault, is a word and no name. 10: 95.5/86.9/92.1;
 * 40: 94.8/85.7/90.1; any number: 90.8/81.6/79.2.
 */
const commonCount = 20
const commonShare = 0.002

/**
 * The slots that a slot is linked with by names, and whether one of the two is what the other names: else both tell of the
 * same thing.
 */
export type Mentions = Map<number, boolean>

/** One search for mentions. */
interface Looking {
  index: VaultIndex
  /** Whether an item can be linked at all: what is archived neither is nor makes a name less telling. */
  counts: SlotTest
  bearersLeft: number
}

/** A telling name of a seed, and whether the seed is what it names. */
interface OwnName {
  name: number
  seed: number
  isTitle: boolean
}

/** For each seed the slots that it is linked with, of those that count, itself left out. */
export function findMentions(index: VaultIndex, seeds: readonly number[], counts: SlotTest): Map<number, Mentions> {
  const looking: Looking = { index, counts, bearersLeft: maxBearersOfAll }
  const linked = new Map<number, Mentions>()
  const ownNames: OwnName[] = []
  for (const seed of seeds) {
    const mentions: Mentions = new Map()
    linked.set(seed, mentions)
    ownNames.push(...linkBearers(looking, seed, mentions))
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

/** Links a seed with those that bear the names which its text holds, and its own; gives the latter. */
function linkBearers(looking: Looking, seed: number, mentions: Mentions): OwnName[] {
  const ownNames: OwnName[] = []
  const isTitled = isTitledSlot(looking.index, seed)
  eachNameOf(looking, seed, (name, isOwn) => {
    const about = bearersOf(looking, name, 'entity', isOwn && isTitled ? maxTexts : maxBearers)
    const isTitle = isSubjectOfOne(looking.index, name, about)
    link(mentions, seed, bearersOf(looking, name, 'title', maxBearers), true)
    link(mentions, seed, about, isTitle || (isOwn && isTitled))
    if (isOwn) ownNames.push({ name, seed, isTitle: isTitle || isTitled })
  })
  return ownNames
}

const isTitledSlot = (index: VaultIndex, slot: number): boolean => index.parts.titles.of(slot).titleWords > 0

/**
 * Whether an entity is as good as a title: one item alone bears it, and no other. Such items as memories in place of notes:
 * 94.3/86.9/89.1, without this rule 72.8/71.8/43.6. For any entity that one item alone bears it cost LifeBench, with the
 * names in its texts as entities, 2.6 points. Of a single word it may be a word like any other, in whatever language: such a
 * name lends little, for 93.3/86.5/87.1.
 */
function isSubjectOfOne(index: VaultIndex, name: number, bearers: readonly number[]): boolean {
  if (index.parts.names.termsOf(name).length === 1) return false
  const [slot = 0, ...others] = bearers
  const { entityEnds } = index.parts
  const first = slot === 0 ? 0 : (entityEnds[slot - 1] as number)
  return bearers.length > 0 && others.length === 0 && (entityEnds[slot] as number) - first === 1
}

/** Calls back once for each telling name that the slot's text holds, and for its own. */
function eachNameOf(looking: Looking, slot: number, visit: (name: number, isOwn: boolean) => void): void {
  const { index } = looking
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
      const isOwn = bearersOf(looking, name, bearing, maxBearers).includes(slot)
      // Among the header's words only its own names count: the others are days and tags.
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

/** The slots that bear a name so, of those that count; none where there are more than `most`, or too many to look at. */
function bearersOf(looking: Looking, name: number, bearing: Bearing, most: number): readonly number[] {
  const bearers: number[] = []
  let left = Math.min(maxBearersOfName, looking.bearersLeft)
  looking.index.parts.names.eachBearer(name, bearing, (slot) => {
    left--
    looking.bearersLeft--
    if (looking.counts(slot)) bearers.push(slot)
    return left > 0 && bearers.length <= most
  })
  return left <= 0 || bearers.length > most ? [] : bearers
}

/** Items with the rarest word of a name beyond which its texts are not looked for: 256 was enough for 6,000 notes. */
const maxPostings = 1024
/** Texts with a name beyond which it says little about each. 16: nDCG@10 86.4, 32 as 128: 86.6. */
export const maxTexts = 64
/** Words that one search compares with names, 0.3 ms; 8,192 change nothing in 6,000 notes. */
const maxWordsCompared = 131_072

/** The slots whose texts hold some names, of those that count: by the postings of the rarest word of each, and one walk through the newest slots. */
export class NamedTexts {
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
    if (byTerm.size > 0) this.#walkNewest(byTerm)
  }

  /** None where too many texts hold the name. */
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

  /** The slots that the postings do not cover yet. */
  #walkNewest(byTerm: ReadonlyMap<number, readonly number[]>): void {
    const { words } = this.#index.parts
    const isSought = new Uint8Array(words.terms.count)
    for (const term of byTerm.keys()) isSought[term] = 1
    let at = words.startOf(words.builtSlots)
    for (let slot = words.builtSlots; slot < words.slotCount; slot++) {
      const met = new Set<number>()
      for (const end = words.ends[slot] as number; at < end; at++) {
        const term = (words.sequence[at] as number) & termMask
        if (isSought[term] === 1) met.add(term)
      }
      for (const term of met) this.#compare(slot, byTerm.get(term) ?? [])
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
