import { markRecalled } from '@holdfast/client'

/** Cuts a text, but never in the middle of a surrogate pair. */
export const cutAt = (text: string, maxChars: number): string =>
  text.length <= maxChars ? text : text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '')

/** Shortens a text to one line, cut between words and marked with "…". */
export function clip(text: string, maxChars: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= maxChars) return line
  const cut = cutAt(line, maxChars - 2)
  const space = cut.lastIndexOf(' ')
  return `${cut.slice(0, space > maxChars / 2 ? space : cut.length)} …`
}

/** Puts as many lines as fit between recall marks. */
export function markLines(lines: readonly string[], maxChars: number): { text: string; count: number } {
  for (let count = lines.length; count > 0; count--) {
    const text = markRecalled(lines.slice(0, count).join('\n'))
    if (text.length <= maxChars) return { text, count }
  }
  return { text: '', count: 0 }
}
