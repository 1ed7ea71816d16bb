/** Repeatable random numbers: the same seeds give the same sequence on every machine. */
export interface Random {
  /** At least 0, below 1. */
  next(): number
  /** A whole number at least 0 and below `limit`. */
  below(limit: number): number
  pick<T>(list: readonly T[]): T
}

const golden = 0x9e3779b9

/** Several seeds select one sequence: `randomFrom(seed, i)` is the i-th of a family of unrelated sequences. */
export function randomFrom(...seeds: readonly number[]): Random {
  let state = seeds.reduce((mixed, seed) => scramble(mixed ^ scramble(seed + golden)), 0)
  const next = () => {
    state = (state + golden) | 0
    return (scramble(state) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new RangeError('Nothing to pick from')
      return list[below(list.length)] as T
    },
  }
}

function scramble(value: number): number {
  const a = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  const b = Math.imul(a ^ (a >>> 13), 0xc2b2ae35)
  return b ^ (b >>> 16)
}

/** Draws ranks from 0 with a probability of 1 / (rank + shift), like the words of a text. `at` is in [0, 1). */
export function zipfRanks(count: number, shift: number): (at: number) => number {
  const ends = new Float64Array(count)
  let total = 0
  for (let rank = 0; rank < count; rank++) {
    total += 1 / (rank + shift)
    ends[rank] = total
  }
  return (at) => {
    const wanted = at * total
    let low = 0
    let high = count - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] as number) > wanted) high = middle
      else low = middle + 1
    }
    return low
  }
}
