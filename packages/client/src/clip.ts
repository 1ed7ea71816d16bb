/** The beginning of a text, of at most so many characters, and never half of a surrogate pair, which the service refuses. */
export function clip(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  return text.slice(0, Math.max(0, maxChars)).replace(/[\ud800-\udbff]$/, '')
}
