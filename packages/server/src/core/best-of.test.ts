import { array, assert, integer, property, record, string } from 'fast-check'
import { expect, it } from 'vitest'
import { createBest } from './best-of.ts'

it('returns the start of the sorted list, with equal items in their original order', () => {
  const many = array(record({ rank: integer({ min: 0, max: 5 }), name: string() }))
  assert(
    property(many, integer({ min: 1, max: 10 }), (items, limit) => {
      const best = createBest<(typeof items)[number]>(limit, (a, b) => a.rank - b.rank)
      for (const item of items) best.offer(item)
      expect(best.items).toEqual(items.toSorted((a, b) => a.rank - b.rank).slice(0, limit))
    }),
  )
})
