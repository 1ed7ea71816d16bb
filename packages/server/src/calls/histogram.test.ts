import { describe, expect, it } from 'vitest'
import { firstMs, quantileOf, slotCount, slotOf } from './histogram.ts'

const lastMs = 8192

function countsOf(values: readonly number[]): number[] {
  const counts = Array.from({ length: slotCount }, () => 0)
  for (const value of values) counts[slotOf(value, firstMs)] = (counts[slotOf(value, firstMs)] ?? 0) + 1
  return counts
}

describe('a histogram', () => {
  it('estimates the median and high percentiles within 19 %', () => {
    // Spread evenly on a logarithmic scale from 0.3 ms to 8 s.
    const values = Array.from({ length: 1000 }, (_, n) => 0.3 * (8000 / 0.3) ** (n / 999))
    for (const share of [0.05, 0.5, 0.9, 0.95, 0.99]) {
      const exact = values[Math.ceil(share * values.length) - 1] ?? 0
      const told = quantileOf(countsOf(values), share, firstMs) ?? 0
      expect(Math.max(told / exact, exact / told)).toBeLessThan(2 ** 0.25 + 0.001)
    }
  })

  it('can be summed over days and servers', () => {
    const [fast, slow] = [countsOf([1, 1, 1]), countsOf([100, 100])]
    const both = fast.map((count, slot) => count + (slow[slot] ?? 0))
    expect(both).toEqual(countsOf([1, 1, 1, 100, 100]))
    expect(quantileOf(both, 0.95, firstMs)).toBe(quantileOf(slow, 0.5, firstMs))
  })

  it('returns its first bound for faster values, its last for slower ones, and null without values', () => {
    expect(quantileOf(countsOf([0, 0.01]), 0.95, firstMs)).toBe(firstMs)
    expect(quantileOf(countsOf([60_000]), 0.5, firstMs)).toBeCloseTo(lastMs, 6)
    expect(quantileOf(countsOf([]), 0.5, firstMs)).toBeNull()
  })
})
