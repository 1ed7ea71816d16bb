/** Chooses which names a map shows, so that none covers another. */

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export interface LabelBox extends Box {
  /** Of two names that would overlap, the one with the higher priority is shown. */
  priority: number
}

/** The labels to draw, most important first. `taken`: places that no label may cover. */
export function placeLabels<T extends LabelBox>(labels: readonly T[], taken: readonly Box[]): T[] {
  const placed: T[] = []
  for (const label of labels.toSorted((a, b) => b.priority - a.priority))
    if (![...taken, ...placed].some((other) => overlaps(label, other))) placed.push(label)
  return placed
}

const overlaps = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
