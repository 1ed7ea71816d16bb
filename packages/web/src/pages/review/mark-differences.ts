/** A piece of a text, and whether the other text has no such words there. */
export interface Piece {
  /** Where it begins. */
  at: number
  text: string
  isDifferent: boolean
}

const keyOf = (word: string) => word.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')

/**
 * The text with the words marked that the other one lacks; white space and punctuation alone tell nothing apart. Where most
 * words differ none are marked: that would tell nobody anything.
 */
export function markDifferences(text: string, other: string): Piece[] {
  const known = new Set(other.split(/\s+/).map(keyOf))
  const isNew = (word: string | undefined) => word !== undefined && keyOf(word) !== '' && !known.has(keyOf(word))
  // Words stand at even places, what is between them at odd ones.
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
