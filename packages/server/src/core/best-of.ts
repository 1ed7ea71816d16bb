/** The first items of many in an order, without the rest being put into it: to sort 100,000 holds others up. */
export interface Best<T> {
  /** In order, at most `limit`. */
  readonly items: readonly T[]
  offer(item: T): void
}

/** Of items that compare as equal the one offered first stands first. */
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
