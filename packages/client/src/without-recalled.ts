/**
 * Marks around recalled text. Clients insert recalled memories between them. When a turn is recorded later, this text is
 * ignored; otherwise every recall would be stored again.
 */
const opening = '<holdfast-recall'
const closing = '</holdfast-recall>'

/** Removes the marked parts of a text. An unclosed part reaches to the end. Runs in linear time. */
export function withoutRecalled(text: string): string {
  const kept: string[] = []
  let from = 0
  for (;;) {
    const begin = text.indexOf(opening, from)
    if (begin < 0) return kept.concat(text.slice(from)).join('\n')
    kept.push(text.slice(from, begin))
    const end = text.indexOf(closing, begin)
    if (end < 0) return kept.join('\n')
    from = end + closing.length
  }
}
