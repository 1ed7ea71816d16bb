import { styleText } from 'node:util'

/** Text for terminals: at most 80 columns, and colors only on a terminal (never with NO_COLOR or in a pipe). */

type Style = Parameters<typeof styleText>[0]

export const paint = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout })

const columns = 80

/** Wraps between words and indents later lines. A word longer than a line, such as a path, isn't split. */
export function wrap(text: string, indent = '', first = indent): string[] {
  const lines: string[] = []
  let line = first
  let isEmpty = true
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    if (!isEmpty && line.length + 1 + word.length > columns) {
      lines.push(line)
      line = indent
      isEmpty = true
    }
    line += isEmpty ? word : ` ${word}`
    isEmpty = false
  }
  return [...lines, line]
}

const steps: readonly [limit: number, size: number, unit: string][] = [
  [60, 1, 's'],
  [3600, 60, 'min'],
  [86_400, 3600, 'h'],
  [86_400 * 60, 86_400, 'd'],
  [86_400 * 365 * 2, 86_400 * 30, 'mo'],
  [Infinity, 86_400 * 365, 'y'],
]

/** `5 min ago`, or `in 3 d` for the future. */
export function ageOf(iso: string, now = Date.now()): string {
  const seconds = Math.round((now - Date.parse(iso)) / 1000)
  const amount = Math.abs(seconds)
  if (amount < 5) return 'now'
  const [, size, unit] = steps.find(([limit]) => amount < limit) ?? [0, 1, 's']
  const text = `${Math.floor(amount / size)} ${unit}`
  return seconds < 0 ? `in ${text}` : `${text} ago`
}
