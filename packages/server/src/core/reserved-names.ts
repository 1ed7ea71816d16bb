import unhomoglyph from 'unhomoglyph'

/**
 * Names that no agent and no person may have: those by which messages and records address people and everyone, and the words with which
 * Holdfast itself says where a text comes from.
 */
const reservedNames = [
  'user',
  'the user',
  'you',
  'person',
  'a person',
  'the person',
  'holdfast',
  'template',
  'the template',
  'imported',
  'deleted',
]

/** What no name may even contain: Holdfast says "by the person" itself, also in the middle of a line. */
const reservedPart = 'the person'

/** What a reader doesn't see, or sees only as an ornament of a letter. Names are compared without it. */
const unseen = /[\p{White_Space}\p{C}\p{M}\p{Default_Ignorable_Code_Point}]+/gu
const ornaments = /[\p{P}\p{S}]+/gu

/**
 * Whether a name looks like a reserved one, contains "the person", or looks like nothing at all. Ignores invisible characters, white space, accents, punctuation, letter
 * case and width, and letters of other scripts that look the same (the skeletons of Unicode UTS 39).
 */
export function imitatesReservedName(name: string): boolean {
  return skeletonsOf(name).some((skeleton) => {
    const plain = skeleton.replaceAll(ornaments, '')
    return (
      /^\**$/.test(skeleton) ||
      skeleton.startsWith(membersPrefix) ||
      reserved.has(plain) ||
      reservedParts.some((part) => plain.includes(part))
    )
  })
}

/** Whether a reader can take one name for the other. Punctuation counts: `worker-1` isn't `worker1`. */
export function lookAlike(a: string, b: string): boolean {
  if (a === b) return true
  const others = new Set(skeletonsOf(b))
  return skeletonsOf(a).some((skeleton) => others.has(skeleton))
}

/**
 * Letters look alike in only one case: `I` like `l`, the Cyrillic `Т` like `T`. So a name is compared as written, in lower case and in upper
 * case.
 */
function skeletonsOf(name: string): string[] {
  const seen = name.normalize('NFKD').replaceAll(unseen, '')
  return [seen, seen.toLowerCase(), seen.toUpperCase()].map((form) =>
    // The outer skeleton makes `rn` of the `m` that lower case leaves.
    unhomoglyph(unhomoglyph(form).toLowerCase().normalize('NFKD')).replaceAll(unseen, ''),
  )
}

const reserved = new Set(reservedNames.flatMap((name) => skeletonsOf(name)))
const reservedParts = skeletonsOf(reservedPart)

/** With their id, the name of a person who writes in a vault of someone else. */
const [membersPrefix = ''] = skeletonsOf('user:')
