import { createBest } from '../core/best-of.ts'
import type { KnownTitle } from '../operation/context.ts'

interface Ranked extends KnownTitle {
  rank: number
}

/** The ids of the titles that go on as what is typed, best first, and how many there are. Of equal fit, the shorter title, then the one that was changed last. */
export function rankTitles(
  titles: Iterable<KnownTitle>,
  typed: string,
  limit: number,
): { ids: string[]; total: number } {
  const byLength = (a: Ranked, b: Ranked) => (typed === '' ? 0 : a.key.length - b.key.length)
  const best = createBest<Ranked>(limit, (a, b) => a.rank - b.rank || byLength(a, b) || b.updatedAt - a.updatedAt)
  let total = 0
  for (const title of titles) {
    const rank = rankOf(title.key, typed)
    if (rank === undefined) continue
    total++
    best.offer({ ...title, rank })
  }
  return { ids: best.items.map(({ noteId }) => noteId), total }
}

const partOfWord = /[\p{L}\p{N}]/u
/** No more places of one title are looked at: a title of one letter 500 times has 500. */
const maxPlaces = 8

/** 0: begins so; 1: one of its words does; 2: has it in the middle of a word. Undefined: has it nowhere. */
function rankOf(key: string, typed: string): number | undefined {
  const first = key.indexOf(typed)
  if (first <= 0) return first === 0 ? 0 : undefined
  let at = first
  for (let place = 0; at > 0 && place < maxPlaces; place++) {
    if (!partOfWord.test(key[at - 1] ?? '')) return 1
    at = key.indexOf(typed, at + 1)
  }
  return 2
}
