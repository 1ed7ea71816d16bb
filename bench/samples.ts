/** The times of many equal calls, in milliseconds. */
export interface Summary {
  count: number
  p50: number
  p95: number
  p99: number
}

/** Uses the nearest rank, so a percentile is always one of the samples. */
export function summarize(samples: ArrayLike<number>): Summary {
  const sorted = Float64Array.from(samples).toSorted()
  return { count: sorted.length, p50: percentile(sorted, 50), p95: percentile(sorted, 95), p99: percentile(sorted, 99) }
}

function percentile(sorted: Float64Array, percent: number): number {
  if (sorted.length === 0) throw new RangeError('There are no samples')
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] as number
}
