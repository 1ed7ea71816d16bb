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
 * nothing if most words of either differ, since marks wouldn't help then.
 */
export function markDifferences(text: string, other: string): Piece[] {
  const isNew = isLackedBy(other)
  // Words have even indexes, the white space between them odd ones.
  const parts = text.split(/(\s+)/)
  if (isMostlyNew(text, other) || isMostlyNew(other, text)) return [{ at: 0, text, isDifferent: false }]
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

function isLackedBy(other: string): (word: string | undefined) => boolean {
  const known = new Set(other.split(/\s+/).map(normalize))
  return (word) => word !== undefined && normalize(word) !== '' && !known.has(normalize(word))
}

function isMostlyNew(text: string, other: string): boolean {
  const words = text.split(/\s+/)
  return words.filter(isLackedBy(other)).length * 2 > words.length
}
