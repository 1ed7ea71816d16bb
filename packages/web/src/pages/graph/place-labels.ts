/**
 * Chooses which names a map shows and where, so that none covers another or a node, is next to two nodes, or leaves the map, and few
 * cross a link of their node.
 */

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** A straight link. */
export interface Line {
  from: Point
  to: Point
}

interface Point {
  x: number
  y: number
}

export interface Label {
  /** Where the name may be, best place first. */
  places: readonly Box[]
  /** The links of its node. Only those, because comparing every name with every link would take too long for each frame. */
  links: readonly Line[]
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
    const free = label.places.filter(isFree).map((box) => ({
      box,
      covers: countAt(box),
      near: countAt(widened(box, nearPx)),
      crosses: label.links.filter((link) => crosses(link, box)).length,
    }))
    const [best] = free.toSorted((a, b) => a.covers - b.covers || a.near - b.near || a.crosses - b.crosses)
    if (best === undefined) continue
    const isClear = best.covers === 0 && best.near <= 1
    if (label.isWanted || isClear) placed.push({ label, box: best.box })
  }
  return placed
}

/** A name this close to a second node could be the name of either. */
const nearPx = 3

const widened = ({ left, top, right, bottom }: Box, px: number): Box => ({
  left: left - px,
  top: top - px,
  right: right + px,
  bottom: bottom + px,
})

const overlaps = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/** The part of the line within the box's sides, then within its top and bottom. */
function crosses({ from, to }: Line, { left, top, right, bottom }: Box): boolean {
  let [start, end] = [0, 1]
  for (const [at, length, low, high] of [
    [from.x, to.x - from.x, left, right],
    [from.y, to.y - from.y, top, bottom],
  ] as const) {
    if (length === 0 && (at <= low || at >= high)) return false
    if (length === 0) continue
    const [one, other] = [(low - at) / length, (high - at) / length]
    start = Math.max(start, Math.min(one, other))
    end = Math.min(end, Math.max(one, other))
  }
  return start < end
}
