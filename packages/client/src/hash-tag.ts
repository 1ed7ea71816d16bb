/**
 * Returns a tag that identifies exactly these words. The words themselves can't be tags, because tags ignore case and
 * white space and have at most 100 characters.
 */
export async function hashTag(kind: string, ...words: readonly string[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(words))
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `${kind}-${[...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
