import { clip } from './clip.ts'

/** A text that may be shortened, after what we say about it: a text can't say that first. */
export interface Entry {
  before: string
  text: string
}

const cut = ' …'

/** Prints one entry per line, up to `maxChars` in total. Shortens the longest texts to the same length. */
export function printEntries(entries: readonly Entry[], maxChars: number): string {
  const around = entries.reduce((sum, { before }) => sum + before.length + cut.length + 1, 0)
  const lengths = entries.map(({ text }) => text.length)
  const most = longestThatFits(lengths, maxChars - around)
  const lines = entries.map(({ before, text }) => `${before}${text.length > most ? `${clip(text, most)}${cut}` : text}`)
  return clip(lines.join('\n'), maxChars)
}

/** Finds the maximum length. Space that short texts do not need goes to the others. */
function longestThatFits(lengths: readonly number[], maxChars: number): number {
  let room = Math.max(0, maxChars)
  let others = lengths.length
  for (const length of lengths.toSorted((a, b) => a - b)) {
    if (length * others > room) return Math.floor(room / others)
    room -= length
    others--
  }
  return maxChars
}

/** Joins a text into one line, so an entry cannot pretend to be another one. */
export const inLine = (text: string): string =>
  text
    .split(/[\r\n\u2028\u2029]/)
    .flatMap((line) => line.trim() || [])
    .join(' ')
