import { withoutHalfPair } from './half-pair.ts'

export const maxLineLength = 200
/** What is shown before the place where a line is cut. */
const leadLength = 60

/** The line of a text in which a place lies, as it is written; of a long one at most 200 characters around the place. */
export function lineAround(text: string, { start, end }: { start: number; end: number }): string {
  const lineStart = text.lastIndexOf('\n', start) + 1
  const lineEnd = text.indexOf('\n', end)
  const line = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd)
  if (line.trim().length <= maxLineLength) return line.trim()
  const from = Math.max(0, start - lineStart - leadLength)
  const to = from + maxLineLength - 2
  const part = withoutHalfPair(withoutFirstHalf(line.slice(from, to))).trim()
  return `${from > 0 ? '…' : ''}${part}${to < line.length ? '…' : ''}`
}

/** Without the second half of a character that the cut has parted. */
const withoutFirstHalf = (text: string): string => text.replace(/^[\udc00-\udfff]/, '')
