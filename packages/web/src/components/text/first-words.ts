const maxChars = 90

/** The beginning of a text that has no title of its own, without marks of Markdown: its first line, up to a word's end. */
export function firstWords(text: string): string {
  const [line = ''] = text.trimStart().split(/[\r\n]/, 1)
  const plain = line
    .replace(/^(?:#{1,6}|[-*+>]|\d+\.)\s+/, '')
    .replaceAll(/(?<!\w)([*_`]{1,3})([^*_`\s](?:[^*_`]*[^*_`\s])?)\1(?!\w)/g, '$2')
    .trim()
  if (plain.length <= maxChars) return plain
  const cut = plain.slice(0, maxChars)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), maxChars / 2)).replace(/[\s,;:–-]+$/, '')}…`
}

export const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
