/** How many letters must be put in, left out or replaced to make one of the other. */
export function countEdits(from: string, to: string): number {
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

/** The nearest of several names; undefined where more than `most` letters differ. */
export function nearestTo(name: string, known: readonly string[], most: number): string | undefined {
  const near = known.map((other) => ({ other, edits: countEdits(name, other) }))
  const [best] = near.toSorted((a, b) => a.edits - b.edits)
  return best !== undefined && best.edits <= most ? best.other : undefined
}
