/** Longer names are not compared, because the time grows with the length. */
const maxNameChars = 40

/** Finds the known name that is closest to a misspelled one, or undefined. */
export function closestTo(name: string, known: readonly string[]): string | undefined {
  if (name.length > maxNameChars) return undefined
  const wanted = plain(name)
  const ranked = known
    .map((candidate) => ({ candidate, edits: countEdits(wanted, plain(candidate)) }))
    .toSorted((a, b) => a.edits - b.edits)
  const [best] = ranked
  // Four letters with two changed are a different word.
  const most = wanted.length < 5 ? 1 : Math.max(2, Math.floor(wanted.length / 3))
  if (best !== undefined && best.edits <= most) return best.candidate
  return known.find((candidate) => wanted.length > 2 && plain(candidate).includes(wanted))
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** Counts the letters to insert, remove or replace to turn one name into the other. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let at = 0; at < from.length; at++) {
    const next = [at + 1]
    for (let there = 0; there < to.length; there++) {
      const replaced = (row[there] ?? 0) + (from[at] === to[there] ? 0 : 1)
      next.push(Math.min(replaced, (row[there + 1] ?? 0) + 1, (next[there] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
