/** Cuts a text to `maxChars` characters, but never in the middle of a surrogate pair, which the server would reject. */
export function clip(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  return text.slice(0, Math.max(0, maxChars)).replace(/[\ud800-\udbff]$/, '')
}
