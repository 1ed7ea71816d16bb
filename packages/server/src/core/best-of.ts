/** Keeps the first items of a sort order without sorting the rest: sorting 100,000 items would block other requests. */
export interface Best<T> {
  /** In order, at most `limit`. */
  readonly items: readonly T[]
  offer(item: T): void
}

/** Among equal items, the one offered first comes first. */
export function createBest<T>(limit: number, compare: (a: T, b: T) => number): Best<T> {
  const items: T[] = []
  return {
    items,
    offer(item) {
      const last = items.at(-1)
      if (items.length === limit && last !== undefined && compare(item, last) >= 0) return
      items.splice(placeIn(items, item, compare), 0, item)
      if (items.length > limit) items.pop()
    },
  }
}

function placeIn<T>(sorted: readonly T[], item: T, compare: (a: T, b: T) => number): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (compare(item, sorted[middle] as T) < 0) to = middle
    else from = middle + 1
  }
  return from
}
