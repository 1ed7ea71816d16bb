/** Passwords that a guesser writes down without a list: one short part repeated, or runs of letters, digits or neighboring keys. */

/** Rows and columns of common keyboards, read in both directions. */
const keyboards =
  '1234567890 qwertyuiop qwertzuiop azertyuiop asdfghjkl qsdfghjklm zxcvbnm yxcvbnm wxcvbn 1qaz 2wsx 3edc 4rfv 5tgb 6yhn 7ujm'

const neighbors = new Set(
  keyboards.split(' ').flatMap((keys) => {
    const row = Array.from(keys)
    return row.slice(1).flatMap((key, at) => [`${row[at]}${key}`, `${key}${row[at]}`])
  }),
)

/** A password with fewer characters that don't follow from the one before is refused. Random ones of 8 characters have about 7. */
const minUnexpected = 4

/** Parts from this length on aren't short: they are a password themselves. */
const minPart = 8

/** `plain`: in lower case. */
export const isPattern = (plain: string): boolean => countUnexpected(plain) < minUnexpected || repeats(plain)

function countUnexpected(plain: string): number {
  const characters = Array.from(plain)
  return characters.filter((character, at) => at === 0 || !follows(characters[at - 1] ?? '', character)).length
}

function follows(former: string, character: string): boolean {
  const step = (character.codePointAt(0) ?? 0) - (former.codePointAt(0) ?? 0)
  return Math.abs(step) <= 1 || neighbors.has(former + character)
}

/** Whether it is one short part again and again; the last time, the part may be cut. */
function repeats(plain: string): boolean {
  for (let length = 1; length < minPart && length * 2 <= plain.length; length++)
    if (
      plain ===
      plain
        .slice(0, length)
        .repeat(Math.ceil(plain.length / length))
        .slice(0, plain.length)
    )
      return true
  return false
}
