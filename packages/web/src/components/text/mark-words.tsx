import type { ReactNode } from 'react'

/** Shorter words are in too many texts. */
const minChars = 3

/** Marks the words of a query where words of the text start with them. The search itself also finds other forms, and by meaning. */
export function markWords(text: string, query: string): ReactNode {
  const words = new Set((query.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length >= minChars))
  if (words.size === 0) return text
  // Only letters and digits, so nothing has to be escaped.
  const parts = text.split(new RegExp(`(?<![\\p{L}\\p{N}])(${[...words].join('|')})`, 'giu'))
  // Every second part is a match.
  return parts.map((part, at) => (at % 2 === 1 ? <mark key={`${at} ${part}`}>{part}</mark> : part))
}
