import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fuse, semanticWeight, decayFactor, importanceFactor, diversify } from './rank.ts'

describe('fuse', () => {
  const list = (weight: number, ...items: [slot: number, score: number][]) => ({
    weight,
    ranked: items.map(([slot, score]) => ({ slot, score })),
  })

  it('gives the first of a list its weight, and less to each following item', () => {
    const scores = fuse([list(0.6, [4, 8], [9, 4])])
    expect(scores.get(4)).toBeCloseTo(0.6)
    expect(scores.get(9)).toBeCloseTo(0.6 * (0.5 * (5 / 6) + 0.5 * 0.5 ** 2))
  })

  it('gives a second place that is nearly as good more than one that is far behind', () => {
    const second = (score: number) => fuse([list(1, [1, 10], [2, score])]).get(2) ?? 0
    expect(second(9.9)).toBeGreaterThan(0.9)
    expect(second(1)).toBeLessThan(0.5)
  })

  it('adds up the scores from several lists, whatever their scales', () => {
    const lists = [list(0.5, [1, 0.9], [2, 0.8]), list(0.5, [2, 300], [3, 200])]
    const best = [...fuse(lists)].toSorted((a, b) => b[1] - a[1]).map(([slot]) => slot)
    expect(best).toEqual([2, 1, 3])
  })

  it('uses only ranks if nothing in a list has a score', () => {
    const scores = fuse([list(1, [1, 0], [2, 0])])
    expect([...scores.values()]).toEqual([1, 0.5 * (5 / 6) + 0.5])
  })

  it('returns nothing for empty lists', () => expect(fuse([list(1)]).size).toBe(0))
})

describe('semanticWeight', () => {
  it('is 0.25 if an item contains half of the question’s words, up to 0.75 if none contains any', () => {
    expect([1, 0.5, 0.25, 0].map(semanticWeight)).toEqual([0.25, 0.25, 0.5, 0.75])
  })
})

const dayMs = 86_400_000

describe('decayFactor', () => {
  it('falls from 1 to 0.9, half of it in a half-life', () => {
    const after = (days: number): number => decayFactor('episodic', days * dayMs, 30)
    expect(after(0)).toBe(1)
    expect(after(30)).toBeCloseTo(0.95, 10)
    expect(after(1e6)).toBe(0.9)
  })

  it('does not age facts, preferences, constraints and skills', () => {
    for (const type of ['fact', 'preference', 'constraint', 'skill']) expect(decayFactor(type, 1e12, 1)).toBe(1)
  })

  it('treats future dates as new', () => expect(decayFactor('episodic', -dayMs, 30)).toBe(1))
})

it('importance only separates near ties', () => {
  expect(importanceFactor(5) / importanceFactor(1)).toBeLessThan(7 / 6)
  expect(importanceFactor(3)).toBe(1)
})

const orderOf = (relevances: number[], diversity: number, count: number, likeness: (a: number, b: number) => number) =>
  diversify(relevances, diversity, count, likeness).map(({ candidate }) => candidate)

describe('diversify', () => {
  it('puts a copy of the best behind a different item', () => {
    const copies = (a: number, b: number): number => (a + b === 1 ? 1 : 0)
    expect(orderOf([1, 0.95, 0.7], 0.7, 3, copies)).toEqual([0, 2, 1])
  })

  it('keeps the order if nothing is similar or diversity is 0', () => {
    expect(orderOf([1, 0.9, 0.2], 1, 3, () => 0)).toEqual([0, 1, 2])
    expect(orderOf([1, 0.9, 0.2], 0, 3, () => 1)).toEqual([0, 1, 2])
  })

  it('returns each candidate at most once and the best first', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(100), { minLength: 1 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (scores, diversity) => {
          const relevances = scores.toSorted((a, b) => b - a)
          const order = orderOf(relevances, diversity, 10, (a, b) => ((a * 7 + b * 7) % 10) / 10)
          expect(new Set(order).size).toBe(Math.min(10, scores.length))
          expect(relevances[order[0] ?? -1]).toBe(relevances[0])
        },
      ),
    )
  })

  it('picks the most valuable of the remaining candidates each time', () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(
        fc.array(unit, { minLength: 1, maxLength: 20 }),
        fc.array(unit, { minLength: 7 }),
        unit,
        (drawn, likes, d) => {
          const relevances = drawn.toSorted((a, b) => b - a)
          const likeness = (a: number, b: number): number => likes[(a * 31 + b * 31) % likes.length] ?? 0
          const lambda = 1 - d / 2
          const order = orderOf(relevances, d, 20, likeness)
          const left = new Set(relevances.keys())
          order.forEach((candidate, at) => {
            const worth = (each: number) => {
              const relevance = (relevances[0] ?? 0) > 0 ? (lambda * (relevances[each] ?? 0)) / (relevances[0] ?? 1) : 0
              return relevance - (1 - lambda) * Math.max(0, ...order.slice(0, at).map((taken) => likeness(taken, each)))
            }
            expect(worth(candidate)).toBe(Math.max(...Array.from(left, worth)))
            left.delete(candidate)
          })
        },
      ),
    )
  })

  it('returns nothing for no candidates', () => expect(diversify([], 0.7, 10, () => 0)).toEqual([]))
})
