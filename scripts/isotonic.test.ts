import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findX, fitRising, rankCorrelation } from './isotonic.ts'

const toPoints = (ys: readonly number[]) => ys.map((y, x) => ({ x, y }))

const anyPoints = fc.array(fc.record({ x: fc.integer({ min: 0, max: 20 }), y: fc.integer({ min: 0, max: 5 }) }), {
  minLength: 1,
  maxLength: 40,
})

describe('fitRising', () => {
  it('keeps points that rise', () => {
    expect(fitRising(toPoints([0, 1, 3])).map(({ x, y }) => [x, y])).toEqual([
      [0, 0],
      [1, 1],
      [2, 3],
    ])
  })

  it('merges falling neighbors at their mean', () => {
    expect(fitRising(toPoints([1, 3, 2, 4]))).toEqual([
      { x: 0, y: 1, weight: 1 },
      { x: 1.5, y: 2.5, weight: 2 },
      { x: 3, y: 4, weight: 1 },
    ])
    expect(fitRising(toPoints([5, 1, 0]))).toEqual([{ x: 1, y: 2, weight: 3 }])
  })

  it('does not depend on the order of points, and merges points with the same x', () => {
    const steps = fitRising([
      { x: 2, y: 4 },
      { x: 1, y: 1 },
      { x: 1, y: 3 },
    ])
    expect(steps).toEqual([
      { x: 1, y: 2, weight: 2 },
      { x: 2, y: 4, weight: 1 },
    ])
  })

  it('rises, keeps the sum, and fits better than any other rising line', () => {
    const otherLine = fc.array(fc.double({ min: 0, max: 5, noNaN: true }), { minLength: 21, maxLength: 21 })
    fc.assert(
      fc.property(anyPoints, otherLine, (points, other) => {
        const steps = fitRising(points)
        expect(steps.every((step, i) => i === 0 || step.y > (steps[i - 1]?.y ?? 0))).toBe(true)
        expect(steps.reduce((sum, { y, weight }) => sum + y * weight, 0)).toBeCloseTo(
          points.reduce((sum, { y }) => sum + y, 0),
        )
        // The steps represent the points in order of x, each as many as its weight.
        const fitted = steps.flatMap(({ y, weight }) => Array<number>(weight).fill(y))
        const sorted = points.toSorted((a, b) => a.x - b.x)
        const rising = other.toSorted((a, b) => a - b)
        const error = (line: (point: { x: number }, i: number) => number) =>
          sorted.reduce((sum, point, i) => sum + (point.y - line(point, i)) ** 2, 0)
        expect(error((_, i) => fitted[i] ?? 0)).toBeLessThanOrEqual(error(({ x }) => rising[x] ?? 0) + 1e-9)
      }),
    )
  })
})

describe('findX', () => {
  it('finds where the line reaches a height, and nothing beyond its ends', () => {
    const steps = fitRising(toPoints([0, 2, 4]))
    expect([0, 1, 2, 3, 4].map((y) => findX(steps, y))).toEqual([0, 0.5, 1, 1.5, 2])
    expect([-0.1, 4.1].map((y) => findX(steps, y))).toEqual([undefined, undefined])
  })
})

describe('rankCorrelation', () => {
  it('is 1 for the same order and -1 for the opposite', () => {
    expect(rankCorrelation(toPoints([1, 10, 100, 1000]))).toBeCloseTo(1)
    expect(rankCorrelation(toPoints([9, 5, 2, 0]))).toBeCloseTo(-1)
  })

  it('gives equal values the mean of their ranks', () => {
    // By hand: ranks 0 1 2 3 against 0.5 0.5 2 3; 4.5 / sqrt(5 * 4.5).
    expect(rankCorrelation(toPoints([7, 7, 8, 9]))).toBeCloseTo(4.5 / Math.sqrt(22.5))
  })
})
