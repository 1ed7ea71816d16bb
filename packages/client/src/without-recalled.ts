/**
 * Marks around recalled text. Clients insert recalled memories between them. When a turn is recorded later, this text is
 * ignored; otherwise every recall would be stored again. The name of a mark ends with a boundary: `<holdfast-recall-3f9a0c11d2e4>`.
 */
const opening = /<holdfast-recall(?<boundary>-[0-9a-z]+)?/g

/** Removes the marked parts of a text. An unclosed part reaches to the end. Runs in linear time. */
export function withoutRecalled(text: string): string {
  const kept: string[] = []
  let from = 0
  for (const { index, groups } of text.matchAll(opening)) {
    // Within the part before.
    if (index < from) continue
    kept.push(text.slice(from, index))
    const closing = `</holdfast-recall${groups?.['boundary'] ?? ''}>`
    const end = text.indexOf(closing, index)
    if (end < 0) return kept.join('\n')
    from = end + closing.length
  }
  return kept.concat(text.slice(from)).join('\n')
}
