/**
 * Vectors for tests: each character trigram of the text adds 1 or −1 at the place given by its hash. Deterministic, needs no model, and
 * texts that share words are similar. Only good enough for tests. Not of unit length.
 */
export function embedHashed(text: string, dims = 256): number[] {
  const vector = Array<number>(dims).fill(0)
  const characters = Array.from(` ${text.normalize('NFKC').toLowerCase()} `)
  for (let i = 0; i < characters.length - 1; i++) {
    const hash = fnv1a(characters.slice(i, i + 3).join(''))
    const place = hash % dims
    vector[place] = (vector[place] ?? 0) + (hash >>> 31 === 0 ? 1 : -1)
  }
  // A text whose trigrams cancel out entirely would have no direction.
  if (!vector.some(Boolean)) vector[0] = 1
  return vector
}

/** FNV-1a over UTF-16 units, with the final mix of MurmurHash3: FNV's low bits alone repeat for short texts. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
