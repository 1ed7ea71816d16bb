import { distance } from 'fastest-levenshtein'

/** Longer names are not compared, because the time grows with the length. */
const maxNameChars = 40

/** Finds the known name that differs in the fewest letters, at most `most`; else one that contains the name. */
export function closestTo(name: string, known: readonly string[], most = tolerated(plain(name))): string | undefined {
  if (name.length > maxNameChars) return undefined
  const wanted = plain(name)
  const ranked = known
    .map((candidate) => ({ candidate, edits: distance(wanted, plain(candidate)) }))
    .toSorted((a, b) => a.edits - b.edits)
  const [best] = ranked
  if (best !== undefined && best.edits <= most) return best.candidate
  return known.find((candidate) => wanted.length > 2 && plain(candidate).includes(wanted))
}

// Four letters with two changed are a different word.
const tolerated = (name: string) => (name.length < 5 ? 1 : Math.max(2, Math.floor(name.length / 3)))

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
