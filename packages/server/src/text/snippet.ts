import { withoutHalfPair } from './half-pair.ts'
import { withoutMarks } from './preview.ts'
import { tokenize } from './tokenize.ts'

/** The part of a text that answers a question best by its words, for lists of hits. */

export const maxSnippetLength = 200
/** No more of the text is looked at: 10 ms. */
const lookedAt = 100_000
/** Matches no further apart than this are shown together. */
const windowLength = 160
/** What is shown before the first of them. */
const leadLength = 30

interface Match {
  at: number
  end: number
  word: string
}

/**
 * At most 200 characters on one line and without markup, around the place where the most different words of `query` stand
 * together; the first such place. Undefined where the text holds none of them.
 */
export function snippetOf(text: string, query: string): string | undefined {
  const plain = withoutMarks(text.slice(0, lookedAt)).replace(/\s+/g, ' ').trim()
  const matches = findMatches(plain, new Set(tokenize(query)))
  const best = bestWindow(matches)
  if (best === undefined) return undefined
  const start = wordStart(plain, Math.max(0, best.at - leadLength), best.at)
  return cut(plain, start, text.length > lookedAt)
}

const wordPattern = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu

function findMatches(plain: string, sought: ReadonlySet<string>): Match[] {
  const known = new Map<string, Match[]>()
  const matches: Match[] = []
  for (const { 0: run, index: start } of plain.matchAll(wordPattern)) {
    const found = known.get(run) ?? matchesIn(run, sought)
    known.set(run, found)
    for (const { at, end, word } of found) matches.push({ at: start + at, end: start + end, word })
  }
  return matches
}

/** How far on the next word of a run is looked for: bounded, so that words whose letters were folded cost no more. */
const lookahead = 32

/** The sought words of a run, by their places in it. Runs of scripts without spaces hold many words; others are one. */
function matchesIn(run: string, sought: ReadonlySet<string>): Match[] {
  const words = tokenize(run)
  if (!words.some((word) => sought.has(word))) return []
  const matches: Match[] = []
  let from = 0
  for (const word of words) {
    const ahead = run.slice(from, from + word.length + lookahead).indexOf(word)
    const at = Math.min(from + Math.max(ahead, 0), run.length)
    if (sought.has(word)) matches.push({ at, end: at + word.length, word })
    from = at + 1
  }
  return matches
}

/** Where the window with the most different words begins. */
function bestWindow(matches: readonly Match[]): Match | undefined {
  const counts = new Map<string, number>()
  let best: Match | undefined
  let most = 0
  let last = 0
  for (const [i, first] of matches.entries()) {
    last = Math.max(last, i)
    for (let next = matches[last]; next !== undefined && next.end - first.at <= windowLength; next = matches[++last]) {
      counts.set(next.word, (counts.get(next.word) ?? 0) + 1)
    }
    if (counts.size > most || best === undefined) {
      most = counts.size
      best = first
    }
    const left = (counts.get(first.word) ?? 0) - 1
    if (left > 0) counts.set(first.word, left)
    else counts.delete(first.word)
  }
  return best
}

/** The first place from `from` on where a word begins; `latest` where none does before it. */
function wordStart(plain: string, from: number, latest: number): number {
  if (from === 0) return 0
  const space = plain.indexOf(' ', from - 1)
  return space >= 0 && space < latest ? space + 1 : latest
}

function cut(plain: string, start: number, goesOn: boolean): string {
  const before = start > 0 ? '…' : ''
  const room = maxSnippetLength - before.length
  if (plain.length - start <= room && !goesOn) return before + plain.slice(start)
  const part = plain.slice(start, start + room - 1)
  const space = part.length < room - 1 ? -1 : part.lastIndexOf(' ')
  const kept = space >= room - 40 ? part.slice(0, space) : part
  return `${before}${withoutHalfPair(kept)}…`
}
