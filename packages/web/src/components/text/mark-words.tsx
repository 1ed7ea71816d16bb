import type { ReactNode } from 'react'

/** Shorter words are in too many texts. */
const minChars = 3

/** Matches where a word of the text starts with a word of the query; undefined if none of them counts. */
function beginnings(query: string): RegExp | undefined {
  const words = new Set((query.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length >= minChars))
  // Only letters and digits, so nothing has to be escaped.
  return words.size === 0 ? undefined : new RegExp(`(?<![\\p{L}\\p{N}])(${[...words].join('|')})`, 'giu')
}

/** Marks the words of a query where words of the text start with them. The search itself also finds other forms, and by meaning. */
export function markWords(text: string, query: string): ReactNode {
  const pattern = beginnings(query)
  if (pattern === undefined) return text
  // Every second part is a match.
  return text.split(pattern).map((part, at) => (at % 2 === 1 ? <mark key={`${at} ${part}`}>{part}</mark> : part))
}

/** A match further on than this may be cut off where a list shows one line. */
const surelyShown = 45
const wordsBefore = 20

/** The text from shortly before its first match on, if a line that begins with the first word might not reach it. */
export function fromFirstMatch(text: string, query: string): string {
  const pattern = beginnings(query)
  const at = pattern === undefined ? -1 : text.search(pattern)
  if (at <= surelyShown) return text
  const start = text.indexOf(' ', at - wordsBefore)
  return `… ${text.slice(start < 0 || start >= at ? at : start + 1)}`
}
