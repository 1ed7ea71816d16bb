/** Chooses which names a map shows and where, so that none covers another, a node, or leaves the map. */

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export interface Label {
  /** Where the name may be, best place first. */
  places: readonly Box[]
  /** Of two names that would overlap, the one with the higher priority is shown. */
  priority: number
  /** If there is no free place, shown where it covers the fewest nodes. */
  isWanted: boolean
}

interface Map {
  /** No name may cover these. */
  taken: readonly Box[]
  nodes: readonly Box[]
  width: number
  height: number
}

/** The names to draw with their places, most important first. */
export function placeLabels<T extends Label>(
  labels: readonly T[],
  { taken, nodes, width, height }: Map,
): { label: T; box: Box }[] {
  const placed: { label: T; box: Box }[] = []
  const isFree = (box: Box) =>
    box.left >= 0 &&
    box.top >= 0 &&
    box.right <= width &&
    box.bottom <= height &&
    !taken.some((other) => overlaps(box, other)) &&
    !placed.some((other) => overlaps(box, other.box))
  const covered = (box: Box) => nodes.filter((node) => overlaps(box, node)).length
  for (const label of labels.toSorted((a, b) => b.priority - a.priority)) {
    const free = label.places.filter(isFree).map((box) => ({ box, covers: covered(box) }))
    const [best] = free.toSorted((a, b) => a.covers - b.covers)
    if (best !== undefined && (label.isWanted || best.covers === 0)) placed.push({ label, box: best.box })
  }
  return placed
}

const overlaps = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
