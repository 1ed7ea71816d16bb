import type { SlotTest } from './live.ts'
import type { VaultIndex } from './vault-index.ts'
import { termMask } from './words.ts'

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
