/**
 * How often something happened in each clock second, oldest first. A window of 61 of them covers any minute wherever it
 * begins within a second, so that no 60 seconds hold more than the limit.
 */
export type SecondCounts = [second: number, count: number][]

export const windowSeconds = 61

/** Adds one, and forgets what is not in the window. */
export function addAt(counts: SecondCounts, second: number): void {
  if (counts.some((count) => !isWithin(count, second)))
    counts.splice(0, counts.length, ...counts.filter((count) => isWithin(count, second)))
  const last = counts.at(-1)
  if (last !== undefined && last[0] >= second) last[1]++
  else counts.push([second, 1])
}

export function countWithin(counts: SecondCounts, second: number): number {
  let total = 0
  for (const count of counts) if (isWithin(count, second)) total += count[1]
  return total
}

/** After how many seconds fewer than `limit` are left in the window, if nothing is added until then: at least 1. */
export function secondsUntilBelow(limit: number, counts: SecondCounts, second: number): number {
  let left = countWithin(counts, second)
  for (const [at, count] of counts.filter((one) => isWithin(one, second)).toSorted(([a], [b]) => a - b)) {
    left -= count
    if (left < limit) return Math.max(1, at + windowSeconds - second)
  }
  return 1
}

/** The counts of a server whose clock may be ahead, as if its latest second were at most this one. */
export function notAfter(second: number, counts: SecondCounts): SecondCounts {
  const ahead = (counts.at(-1)?.[0] ?? second) - second
  return ahead > 0 ? counts.map(([at, count]) => [at - ahead, count]) : counts
}

// What lies further ahead was counted before the clock was set back.
const isWithin = ([at]: SecondCounts[number], second: number) => Math.abs(second - at) < windowSeconds
