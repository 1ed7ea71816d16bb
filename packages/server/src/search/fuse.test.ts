import { describe, expect, it } from 'vitest'
import { fuse, semanticWeight } from './fuse.ts'

describe('fuse', () => {
  it('gives the first of a list its weight, and less to each that follows', () => {
    const scores = fuse([{ weight: 0.6, slots: [4, 9] }])
    expect(scores.get(4)).toBeCloseTo(0.6)
    expect(scores.get(9)).toBeCloseTo((0.6 * 5) / 6)
  })

  it('adds up what several lists give', () => {
    const lists = [
      { weight: 0.5, slots: [1, 2] },
      { weight: 0.5, slots: [2, 3] },
    ]
    const best = [...fuse(lists)].toSorted((a, b) => b[1] - a[1]).map(([slot]) => slot)
    expect(best).toEqual([2, 1, 3])
  })

  it('gives nothing for empty lists', () => expect(fuse([{ weight: 1, slots: [] }]).size).toBe(0))
})

describe('semanticWeight', () => {
  it('is 0.25 where an item holds half of what the question asks, up to 0.6 where none holds any', () => {
    expect([1, 0.5, 0.25, 0].map(semanticWeight)).toEqual([0.25, 0.25, 0.425, 0.6])
  })
})
