import { expect, it } from 'vitest'
import { placeLabels } from './place-labels.ts'

const box = (left: number, top: number, priority = 0) => ({ left, top, right: left + 10, bottom: top + 4, priority })

it('shows the more important of two names that overlap', () => {
  const [low, high, apart] = [box(0, 0, 1), box(5, 2, 2), box(40, 0)]
  expect(placeLabels([low, high, apart], [])).toEqual([high, apart])
})

it('shows names that only touch, and none in a place that is taken', () => {
  expect(placeLabels([box(0, 0, 1), box(10, 0)], [])).toHaveLength(2)
  expect(placeLabels([box(0, 0, 1), box(10, 0)], [box(12, 2)])).toEqual([box(0, 0, 1)])
})

it('leaves no overlap in a crowd', () => {
  const crowd = Array.from({ length: 300 }, (_, at) => box((at * 37) % 100, (at * 53) % 60, (at * 7) % 11))
  const placed = placeLabels(crowd, [])
  for (const one of placed)
    expect(placeLabels([one, ...placed.filter((other) => other !== one)], [])).toHaveLength(placed.length)
})
