import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { TopSlots } from './top-slots.ts'

it('keeps the best, best first, and orders equal ones by the given order', () => {
  const top = new TopSlots(16)
  fc.assert(
    fc.property(fc.array(fc.nat(6), { maxLength: 60 }), fc.integer({ min: 1, max: 16 }), (scores, limit) => {
      top.start(limit, (a, b) => b - a)
      for (const [slot, score] of scores.entries()) if (score >= top.floor) top.offer(slot, score)
      const expected = scores
        .map((score, slot) => ({ slot, score }))
        .toSorted((a, b) => b.score - a.score || b.slot - a.slot)
        .slice(0, limit)
      expect(top.take()).toEqual(expected)
      expect(top.count).toBe(0)
    }),
  )
})
