/** What is written to the letter: it holds a digit, a sign of paths, addresses and flags, or a capital inside. */
export const isExact = (chunk: string): boolean =>
  !/^(?:[A-Z]?[a-z]+|[A-Z]+)$/.test(chunk) &&
  (/[\p{N}_/\\@#+=<>|~^&$€£%§°→←-]/u.test(chunk.replace(/(?<=\p{L})-(?=\p{L})/gu, '')) ||
    /\p{Ll}\p{Lu}|\p{L}[.:]\p{L}|[^\p{L}\p{M}\p{P}]/u.test(chunk))

/** Not a pattern: one that is bound to the end takes quadratic time on "x......x". */
const outer = new Set(`"'“”‘’«»„()[]{},;:!?….¿¡*\``)

/** Where a chunk without white space begins and ends but for the punctuation around it, which ".5" and "!=" begin with. */
export function trimmed(chunk: string): [start: number, end: number] {
  let [start, end] = [0, chunk.length]
  while (
    start < end &&
    outer.has(chunk[start] ?? '') &&
    !/^(?:\.\p{N}|![^\s\p{P}])/u.test(chunk.slice(start, start + 3))
  )
    start++
  while (end > start && outer.has(chunk[end - 1] ?? '')) end--
  return [start, end]
}
