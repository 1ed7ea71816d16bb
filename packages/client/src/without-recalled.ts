/**
 * Marks around text that came out of the memory. Clients put what they recall into a conversation between them; turns that
 * are handed in later are looked at without it, or every recall would be remembered once more.
 */
const opening = '<holdfast-recall'
const closing = '</holdfast-recall>'

/** The text without its marked parts; one that is not closed reaches to the end. Linear. */
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
