/** A list of entries, best first. The ones that don't fit are left out. */
export interface Fillable<E> {
  entries: readonly E[]
  /** Its largest share of the space, 0 to 1, until every list has had its turn. After that it can use what is left. */
  share?: number | undefined
  /** Length of what separates an entry from the one before it, or introduces the first one. */
  charsAround(isFirst: boolean): number
  /** A shorter form of the entry with at most `roomChars` characters; undefined if there is none. */
  cut?(entry: E, roomChars: number): E | undefined
}

interface Filling<E> {
  list: Fillable<E>
  /** By position in `entries`. */
  taken: Map<number, { entry: E; chars: number }>
  usedChars: number
}

/**
 * Chooses entries that fit into the space together, in the order of each list. Lists are ordered by value, and the last
 * one loses entries first. If an entry doesn't fit, the next one is tried.
 */
export function fitEntries<E>(lists: readonly Fillable<E>[], roomChars: number, charsOf: (entry: E) => number): E[][] {
  const fillings = lists.map((list): Filling<E> => ({ list, taken: new Map(), usedChars: 0 }))
  let left = roomChars
  for (const filling of fillings)
    left -= take(filling, Math.min(left, Math.floor(roomChars * (filling.list.share ?? 1))), charsOf)
  // Space that was held back by shares, or was too small for a long entry, goes to any list that can use it.
  for (const filling of fillings) left -= take(filling, left, charsOf)
  return fillings.map(({ list, taken }) =>
    list.entries.flatMap((_, at) => {
      const one = taken.get(at)
      return one === undefined ? [] : [one.entry]
    }),
  )
}

/** Takes what fits and returns how many characters that adds. An entry that was cut before may now get longer. */
function take<E>(filling: Filling<E>, roomChars: number, charsOf: (entry: E) => number): number {
  const { list, taken } = filling
  const before = filling.usedChars
  for (const [at, entry] of list.entries.entries()) {
    const known = taken.get(at)
    if (known?.entry === entry) continue
    const around = known === undefined ? list.charsAround(taken.size === 0) : 0
    const left = roomChars - (filling.usedChars - before) + (known?.chars ?? 0) - around
    const fitting = fitEntry(list, entry, left, charsOf)
    if (fitting === undefined || fitting.chars <= (known?.chars ?? 0)) continue
    taken.set(at, fitting)
    filling.usedChars += fitting.chars - (known?.chars ?? 0) + around
  }
  return filling.usedChars - before
}

function fitEntry<E>({ cut }: Fillable<E>, entry: E, roomChars: number, charsOf: (entry: E) => number) {
  const chars = charsOf(entry)
  if (chars <= roomChars) return { entry, chars }
  const shorter = cut?.(entry, roomChars)
  if (shorter === undefined) return undefined
  const shorterChars = charsOf(shorter)
  return shorterChars <= roomChars ? { entry: shorter, chars: shorterChars } : undefined
}
