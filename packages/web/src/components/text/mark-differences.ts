/** A piece of a text, and whether the other text lacks its words. */
export interface Piece {
  /** Its offset in the text. */
  at: number
  text: string
  isDifferent: boolean
}

const normalize = (word: string) => word.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')

/**
 * Splits `text` into pieces and marks the words that `other` lacks. Ignores white space, punctuation and letter case. Marks
 * nothing if most words differ, since marks wouldn't help then.
 */
export function markDifferences(text: string, other: string): Piece[] {
  const known = new Set(other.split(/\s+/).map(normalize))
  const isNew = (word: string | undefined) =>
    word !== undefined && normalize(word) !== '' && !known.has(normalize(word))
  // Words have even indexes, the white space between them odd ones.
  const parts = text.split(/(\s+)/)
  const words = parts.filter((_, at) => at % 2 === 0)
  if (words.filter(isNew).length * 2 > words.length) return [{ at: 0, text, isDifferent: false }]
  const pieces: Piece[] = []
  let at = 0
  for (const [place, part] of parts.entries()) {
    const isDifferent = place % 2 === 0 ? isNew(part) : isNew(parts[place - 1]) && isNew(parts[place + 1])
    const last = pieces.at(-1)
    if (last?.isDifferent === isDifferent) last.text += part
    else if (part !== '') pieces.push({ at, text: part, isDifferent })
    at += part.length
  }
  return pieces
}
