export interface Steady<Row> {
  rows: readonly Row[]
  /** How many are kept back, so that nothing that is being read moves. */
  newCount: number
}

/**
 * A list that has changed while somebody reads it: rows stay where they are, as they are now; those that are gone are left out; those
 * that would come in between are counted; those that come after the last are added. Rows that newer ones have pushed off the page stay.
 */
export function keepSteady<Row>(shown: readonly Row[], fresh: readonly Row[], idOf: (row: Row) => string): Steady<Row> {
  const shownIds = new Set(shown.map(idOf))
  const freshById = new Map(fresh.map((row) => [idOf(row), row]))
  const lastKept = shown.findLastIndex((row) => freshById.has(idOf(row)))
  // Another list altogether.
  if (lastKept === -1) return { rows: fresh, newCount: 0 }
  const lastId = shown[lastKept]
  const end = lastId === undefined ? 0 : fresh.findIndex((row) => idOf(row) === idOf(lastId))
  const isNew = (row: Row) => !shownIds.has(idOf(row))
  const newCount = fresh.slice(0, end).filter(isNew).length
  const kept = shown.slice(0, lastKept + 1).flatMap((row) => freshById.get(idOf(row)) ?? [])
  const pushedOff = shown.slice(lastKept + 1).slice(0, newCount)
  return { rows: [...kept, ...pushedOff, ...fresh.slice(end + 1).filter(isNew)], newCount }
}
