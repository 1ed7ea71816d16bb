/** Chooses which names a map shows and where, so that none covers another or a node, is next to two nodes, or leaves the map. */

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
  const countAt = (box: Box) => nodes.filter((node) => overlaps(box, node)).length
  for (const label of labels.toSorted((a, b) => b.priority - a.priority)) {
    const free = label.places
      .filter(isFree)
      .map((box) => ({ box, covers: countAt(box), near: countAt(widened(box, nearPx)) }))
    const [best] = free.toSorted((a, b) => a.covers - b.covers || a.near - b.near)
    if (best === undefined) continue
    const isClear = best.covers === 0 && best.near <= 1
    if (label.isWanted || isClear) placed.push({ label, box: best.box })
  }
  return placed
}

/** A name this close to a second node could be the name of either. */
const nearPx = 5

const widened = ({ left, top, right, bottom }: Box, px: number): Box => ({
  left: left - px,
  top: top - px,
  right: right + px,
  bottom: bottom + px,
})

const overlaps = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
