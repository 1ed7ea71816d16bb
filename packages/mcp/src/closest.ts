/** Nobody misspells a name by so much, and the search takes time for each letter. */
const longestName = 40

/** The known name that is nearest to a misspelled one; undefined where none is near. */
export function closestTo(name: string, known: readonly string[]): string | undefined {
  if (name.length > longestName) return undefined
  const wanted = plain(name)
  const ranked = known
    .map((candidate) => ({ candidate, edits: countEdits(wanted, plain(candidate)) }))
    .toSorted((a, b) => a.edits - b.edits)
  const [best] = ranked
  // Of four letters two others are another word.
  const most = wanted.length < 5 ? 1 : Math.max(2, Math.floor(wanted.length / 3))
  if (best !== undefined && best.edits <= most) return best.candidate
  return known.find((candidate) => wanted.length > 2 && plain(candidate).includes(wanted))
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** How many letters must be put in, left out or replaced to make one of the other. */
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
