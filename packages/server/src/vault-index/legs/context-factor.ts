import { dayMs } from '../../core/time.ts'
import type { KeyedQuery } from '../query.ts'
import type { VaultIndex } from '../vault-index.ts'
import { type WordIndex, termMask } from '../parts/words.ts'

/**
 * Boosts for items from a date or by a speaker that the question names. They are factors, not filters: in measurements, a hard date
 * window did harm whenever the parsed date wasn't the intended one.
 */

/**
 * recall@10 / nDCG@10 on LifeBench, LongMemEval and the own set's questions with dates, with 1 (without it) 41.6/46.4, 93.0/85.7,
 * 63.2/56.9; 1.6 52.3/55.7, 92.8/85.6, 79.2/68.6; 2 52.9/55.9, 92.8/85.3, 88.2/74.4; 2.5 53.0/56.1, 92.8/85.2, 91.7/78.7, but LoCoMo falls by 0.2.
 */
const dateFactor = 2
/** LoCoMo without it 77.7/59.8, with it 79.3/61.2, with 1.5 77.4/59.9. */
const speakerFactor = 1.25
/** People talk about a day on that day or soon after. Twice or half of either changes no set by more than a point. */
const earlierMs = dayMs
const laterMs = 2 * dayMs

export interface ContextFactor {
  /** The product of the two below, at least 1. */
  of: (slot: number) => number
  /** The factor for a speaker, and for a date, that the question names. */
  ofSpeaker: (slot: number) => number
  ofDate: (slot: number) => number
  /** The terms of the question that are names of speakers. */
  speakers: ReadonlySet<number>
  /** The largest possible factor, so that most items need no lookup. */
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
  // Plain numbers, no closures: a question about a month computes the factors of about 10,000 items.
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

/** The terms of the question that are names of speakers in this vault. */
function askedSpeakers(words: WordIndex, { tags }: KeyedQuery): Set<number> {
  const speakers = new Set<number>()
  for (let at = 0; at < tags.length; at += 2) {
    const term = words.terms.find(tags, at)
    if (term >= 0 && (words.speakerCounts[term] as number) > 0) speakers.add(term)
  }
  return speakers
}
