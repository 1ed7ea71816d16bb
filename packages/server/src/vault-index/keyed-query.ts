import type { DateWindow } from '../text/calendar.ts'
import { datesInQuery } from '../text/dates-in-query.ts'
import { tokenize } from '../text/tokenize.ts'
import type { WordTags } from './key-entry.ts'
import { tagWords } from './tag-table.ts'

/** A question as the index understands it: no text is left in it. */
export interface KeyedQuery {
  /** Distinct keyed words, as pairs of 32-bit words. */
  tags: Uint32Array
  /** The question's words in order, as places among the distinct ones. */
  sequence: Uint16Array
  /** At most 8, the first; those that meet are one. */
  dateWindows: DateWindow[]
}

/** The words of a question that are keyed: a longer one is a pasted text, of which these say enough. */
const maxWords = 400
/** Windows that count: every item's time is held against each. */
const maxWindows = 8

/** The words of a question, each once, in the order of `KeyedQuery.tags`. */
export const distinctWords = (query: string): string[] => [...new Set(wordsOf(query))]

const wordsOf = (query: string): string[] => tokenize(query).slice(0, maxWords)

/**
 * Keys a question. `asOf` (ms) is what relative dates count from. A question without words or dates matches nothing.
 */
export function keyQuery(query: string, asOf: number, wordTags: WordTags): KeyedQuery {
  const words = wordsOf(query)
  const places = new Map<string, number>()
  const sequence = Uint16Array.from(words, (word) => {
    const place = places.get(word) ?? places.size
    places.set(word, place)
    return place
  })
  return {
    tags: tagWords(wordTags([...places.keys()])),
    sequence,
    dateWindows: mergeWindows(datesInQuery(query, asOf)),
  }
}

function mergeWindows(windows: readonly DateWindow[]): DateWindow[] {
  const merged: DateWindow[] = []
  for (const { fromMs, toMs } of windows) {
    const met = merged.find((each) => fromMs <= each.toMs && toMs >= each.fromMs)
    if (met !== undefined) Object.assign(met, { fromMs: Math.min(fromMs, met.fromMs), toMs: Math.max(toMs, met.toMs) })
    else if (merged.length < maxWindows) merged.push({ fromMs, toMs })
  }
  return merged
}
