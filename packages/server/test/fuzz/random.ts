/** Numbers that a seed repeats (mulberry32), and what is generated from them. */
export interface Random {
  /** At least `min`, at most `max`. */
  int(min: number, max: number): number
  /** True in this percentage of cases. */
  percent(chance: number): boolean
  pick<T>(values: readonly [T, ...T[]]): T
}

export function createRandom(seed: number): Random {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    int,
    percent: (chance) => next() * 100 < chance,
    pick: (values) => values[int(0, values.length - 1)] ?? values[0],
  }
}
