import { dayMs } from '../../core/time.ts'
import type { KeyedQuery } from '../query.ts'
import type { VaultIndex } from '../vault-index.ts'
import { type WordIndex, termMask } from '../parts/words.ts'

/**
 * What speaks for an item besides its text: that it is of a day which the question names, or by someone whom it names.
 * Factors, never filters: a hard window was measured to do harm wherever the parsed date was not the one that was
 * meant.
 */

/**
 * recall@10 without it: LifeBench 50.0 -> 40.8, LoCoMo 74.8 -> 74.5; 2.0 gains 1.2 on LifeBench but costs LongMemEval
 * as much.
 */
const dateFactor = 1.6
/** recall@10 without it: LoCoMo 74.8 -> 73.2, the others hold; 1.35 is no better. */
const speakerFactor = 1.25
/** People tell of a day on that day or soon after. Worth 0.3 points on LifeBench. */
const earlierMs = dayMs
const laterMs = 2 * dayMs

export interface ContextFactor {
  /** 1 or more: both of those below. */
  of: (slot: number) => number
  /** Its part for a speaker whom the question names, and for a day. */
  ofSpeaker: (slot: number) => number
  ofDate: (slot: number) => number
  /** The numbers of the question's words that are names of speakers. */
  speakers: ReadonlySet<number>
  /** No item's factor is greater: most items need not be asked. */
  greatest: number
}

export function contextFactor(index: VaultIndex, query: KeyedQuery): ContextFactor {
  const { words, facts } = index.parts
  const { occurredAt } = facts.arrays
  const speakers = askedSpeakers(words, query)
  const names = (slot: number): boolean => {
    const start = words.startOf(slot)
    for (let at = start, end = start + (words.speakerLengths[slot] as number); at < end; at++) {
      if (speakers.has((words.sequence[at] as number) & termMask)) return true
    }
    return false
  }
  // Plain numbers and no closures: a question about a month asks for the factors of some ten thousand items.
  const windows = query.dateWindows.map(({ fromMs, toMs }) => ({ from: fromMs - earlierMs, to: toMs + laterMs }))
  const dates = (slot: number): boolean => {
    const at = occurredAt[slot] as number
    for (const { from, to } of windows) if (at >= from && at < to) return true
    return false
  }
  const ofSpeaker = (slot: number): number => (speakers.size > 0 && names(slot) ? speakerFactor : 1)
  const ofDate = (slot: number): number => (windows.length > 0 && dates(slot) ? dateFactor : 1)
  return {
    of: (slot) => ofSpeaker(slot) * ofDate(slot),
    ofSpeaker,
    ofDate,
    speakers,
    greatest: (speakers.size > 0 ? speakerFactor : 1) * (windows.length > 0 ? dateFactor : 1),
  }
}

/** The question's words that are names of speakers in this vault. */
function askedSpeakers(words: WordIndex, { tags }: KeyedQuery): Set<number> {
  const speakers = new Set<number>()
  for (let at = 0; at < tags.length; at += 2) {
    const term = words.terms.find(tags, at)
    if (term >= 0 && (words.speakerCounts[term] as number) > 0) speakers.add(term)
  }
  return speakers
}
