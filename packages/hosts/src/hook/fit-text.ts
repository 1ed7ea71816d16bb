import { markRecalled } from '@holdfast/client'

/** At most so long, and never half of a character that takes two places. */
export const cutAt = (text: string, maxChars: number): string =>
  text.length <= maxChars ? text : text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '')

/** Cut between words, with a mark. `maxChars` holds for the whole. */
export function clip(text: string, maxChars: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= maxChars) return line
  const cut = cutAt(line, maxChars - 2)
  const space = cut.lastIndexOf(' ')
  return `${cut.slice(0, space > maxChars / 2 ? space : cut.length)} …`
}

/** As many lines between marks as fit. */
export function markLines(lines: readonly string[], maxChars: number): { text: string; count: number } {
  for (let count = lines.length; count > 0; count--) {
    const text = markRecalled(lines.slice(0, count).join('\n'))
    if (text.length <= maxChars) return { text, count }
  }
  return { text: '', count: 0 }
}
