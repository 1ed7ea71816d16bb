import { describe, expect, it } from 'vitest'
import { summarize } from './samples.ts'

describe('summarize', () => {
  it('uses the nearest rank for percentiles, in any order of samples', () => {
    const samples = Array.from({ length: 200 }, (_, i) => 200 - i)
    expect(summarize(samples)).toEqual({ count: 200, p50: 100, p95: 190, p99: 198 })
  })

  it('returns a single sample as every percentile', () => {
    expect(summarize([7])).toEqual({ count: 1, p50: 7, p95: 7, p99: 7 })
  })

  it('throws if there are no samples', () => {
    expect(() => summarize([])).toThrow(RangeError)
  })
})
