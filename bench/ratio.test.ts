import { describe, expect, it } from 'vitest'
import { randomFrom } from './random.ts'
import { compareTurns } from './ratio.ts'

type Pair = readonly [number, number]

/** Pairs with a true ratio of `ratio`. Each number is disturbed by up to `noise`, and pairs also have a common load. */
function disturbed(seed: number, { count, ratio, noise }: { count: number; ratio: number; noise: number }): Pair[] {
  const random = randomFrom(seed)
  const disturb = () => Math.exp((random.next() + random.next() - 1) * noise)
  return Array.from({ length: count }, () => {
    const load = 1 + random.next()
    return [ratio * load * disturb(), load * disturb()]
  })
}

describe('compareTurns', () => {
  it('agrees with the example in Hollander and Wolfe, nine patients before and after', () => {
    const before = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3]
    const after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    const pairs = before.map((value, patient): Pair => [Math.exp(value), Math.exp(after[patient] ?? NaN)])
    const { estimate, low, high } = compareTurns(pairs, 0.96)
    expect([low, estimate, high].map((value) => Math.log(value).toFixed(3))).toEqual(['0.010', '0.460', '0.786'])
  })

  it('is turned around when the sides are', () => {
    const pairs = disturbed(1, { count: 20, ratio: 1.2, noise: 0.3 })
    const { estimate, low, high } = compareTurns(pairs, 0.99)
    const turned = compareTurns(
      pairs.map(([ours, theirs]): Pair => [theirs, ours]),
      0.99,
    )
    expect(turned.estimate).toBeCloseTo(1 / estimate, 10)
    expect(turned.low).toBeCloseTo(1 / high, 10)
    expect(turned.high).toBeCloseTo(1 / low, 10)
  })

  it('contains the true ratio in 95 of 100 cases, whatever the load', () => {
    const contains = Array.from({ length: 2_000 }, (_, seed) => {
      const { low, high } = compareTurns(disturbed(seed, { count: 16, ratio: 1.1, noise: 0.4 }), 0.95)
      return low <= 1.1 && high >= 1.1
    })
    const share = contains.filter(Boolean).length / contains.length
    expect(share).toBeGreaterThan(0.94)
    expect(share).toBeLessThan(0.965)
  })

  it('hardly changes when a program disturbs three of 30 turns of one side', () => {
    const pairs = disturbed(7, { count: 30, ratio: 1, noise: 0.1 })
    const hit = pairs.map(([ours, theirs], turn): Pair => [turn < 3 ? ours * 10 : ours, theirs])
    expect(compareTurns(hit, 0.99).estimate / compareTurns(pairs, 0.99).estimate).toBeLessThan(1.02)
    expect(compareTurns(hit, 0.99).low).toBeLessThan(1.02)
  })

  it('throws if so few pairs prove nothing, and without times', () => {
    expect(() => compareTurns(disturbed(1, { count: 7, ratio: 2, noise: 0 }), 0.99)).toThrow('7 pairs are too few')
    expect(compareTurns(disturbed(1, { count: 8, ratio: 2, noise: 0 }), 0.99).low).toBeCloseTo(2)
    expect(() => compareTurns([...disturbed(1, { count: 20, ratio: 1, noise: 0 }), [1, 0]], 0.99)).toThrow(RangeError)
  })
})
