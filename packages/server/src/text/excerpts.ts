import { withoutHalfPair, tokenize } from './tokenize.ts'

/** Short plain-text excerpts of Markdown for lists: previews of a text's start, and snippets around the words of a question. */

const maxPreviewLength = 200
/** Characters that a preview is made from. */
const maxPreviewed = 4000

/** The start of a text as one line of at most 200 characters, without markup. */
export const previewOf = (text: string): string => shorten(oneLine(text.slice(0, maxPreviewed)), text)

/** The same without headings and tables, whose words would run into the sentences around them. A note of nothing else begins with them. */
export function previewOfNote(text: string): string {
  const prose = oneLine(text.slice(0, maxPreviewed).replace(headings, '').replace(tables, ''))
  return prose === '' ? previewOf(text) : shorten(prose, text)
}

/** Lines of headings and of tables, also of what looks like one in code. */
const headings = /^[ \t]{0,20}#{1,6}[ \t][^\n]*$/gm
const tables = /^[ \t]{0,20}\|[^\n]*$/gm

const oneLine = (text: string): string => withoutMarks(text).replace(/\s+/g, ' ').trim()

function shorten(plain: string, text: string): string {
  if (plain.length <= maxPreviewLength && text.length <= maxPreviewed) return plain.toWellFormed()
  return clip(plain)
}

/** Cuts at the end of a word if there is one in the last 40 characters, and never inside a surrogate pair. */
function clip(plain: string): string {
  const start = plain.slice(0, maxPreviewLength - 1)
  const space = plain.length < maxPreviewLength ? -1 : start.lastIndexOf(' ')
  const kept = space >= maxPreviewLength - 40 ? start.slice(0, space) : start
  return `${withoutHalfPair(kept)}…`
}

// The text is untrusted, so each pattern is bounded or can match at one length only.
const marks: [pattern: RegExp, plain: string][] = [
  // Front matter, comments, fences with their language.
  [/^---\n(?:(?!---\n)[^\n]{0,200}\n){0,60}---\n/, ''],
  [/<!--[^]{0,500}?-->/g, ''],
  [/^[ >]{0,20}(?:`{3,}(?!`)|~{3,}(?!~))[^\n`]*$/gm, ''],
  // Rules and the lines under table heads.
  [/^[ \t|:*_=-]{3,}$/gm, ''],
  // Headings, quotes, list items, checkboxes.
  [/^[ \t]{0,20}(?:#{1,6}[ \t]|(?:>[ \t]?){1,10})/gm, ''],
  [/^[ \t]{0,20}(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}(?:\[[ xX]\][ \t])?/gm, ''],
  // Links and images: keep their visible text.
  [/!?\[([^[\]\n]{0,500})\]\([^()\s]{0,1000}\)/g, '$1'],
  [/!?\[\[[^[\]|\n]{0,500}\|([^[\]\n]{1,500})\]\]/g, '$1'],
  [/!?\[\[([^[\]#|\n]{1,500})(?:#[^[\]\n]{0,500})?\]\]/g, '$1'],
  [/<\/?[a-z][^<>\n]{0,200}>/gi, ''],
  // Emphasis at the edge of a word.
  [/(\*\*|__|~~|`)/g, ''],
  [/(?<![\p{L}\p{N}])[*_](?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}.,!?])[*_](?![\p{L}\p{N}])/gu, ''],
  [/\|/g, ' '],
]

/** The text without Markdown markup. Takes linear time on any text. */
export const withoutMarks = (text: string): string =>
  marks.reduce((plain, [pattern, replacement]) => plain.replace(pattern, replacement), text)

export const maxSnippetLength = 200
/** Characters that are searched for a snippet: 10 ms. */
const maxSearched = 100_000
/** Matches within this distance are shown together. */
const windowLength = 160
/** Characters shown before the first match. */
const leadLength = 30

interface Match {
  at: number
  end: number
  word: string
}

/**
 * One line of at most 200 characters without markup, around the first place with the most different words of `query` close together.
 * Undefined if the text contains none of them.
 */
export function snippetOf(text: string, query: string): string | undefined {
  const plain = oneLine(text.slice(0, maxSearched))
  const matches = findMatches(plain, new Set(tokenize(query)))
  const best = bestWindow(matches)
  if (best === undefined) return undefined
  const start = wordStart(plain, Math.max(0, best.at - leadLength), best.at)
  return cut(plain, start, text.length > maxSearched)
}

/** The same without headings, for lists with the title of the note above it. */
export const snippetBelowHeadings = (text: string, query: string): string | undefined =>
  snippetOf(text.slice(0, maxSearched).replace(headings, ''), query)

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

/** How far ahead the next word of a run is searched. Bounded, because folded words may not be found at all. */
const lookahead = 32

/** The matches within a run. In scripts without spaces a run contains many words, otherwise one. */
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

/** The first match of the window with the most different words. */
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

/** The first start of a word from `from` on, at most `latest`. */
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
