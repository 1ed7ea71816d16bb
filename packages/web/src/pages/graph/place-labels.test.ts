import { expect, it } from 'vitest'
import { placeLabels, type Box, type Label } from './place-labels.ts'

const boxAt = (left: number, top: number): Box => ({ left, top, right: left + 10, bottom: top + 4 })
const label = (left: number, top: number, priority = 0): Label => ({
  places: [boxAt(left, top)],
  links: [],
  priority,
  isWanted: false,
})
const map = { taken: [], nodes: [], width: 200, height: 100 }
const shown = (labels: readonly Label[], given = {}) =>
  placeLabels(labels, { ...map, ...given }).map((placed) => placed.label)

it('shows the more important of two names that overlap', () => {
  const [low, high, apart] = [label(0, 0, 1), label(5, 2, 2), label(40, 0)]
  expect(shown([low, high, apart])).toEqual([high, apart])
})

it('shows names that only touch, and none in a place that is taken', () => {
  expect(shown([label(0, 0, 1), label(10, 0)])).toHaveLength(2)
  expect(shown([label(0, 0, 1), label(10, 0)], { taken: [boxAt(12, 2)] })).toEqual([label(0, 0, 1)])
})

it('puts a name on another side of its node rather than over a node or past the edge', () => {
  const places = [boxAt(195, 0), boxAt(170, 0), boxAt(180, 10)]
  const found = (nodes: readonly Box[], isWanted = false) =>
    placeLabels([{ places, links: [], priority: 0, isWanted }], { ...map, nodes })[0]?.box
  expect(found([])).toEqual(places[1])
  expect(found([boxAt(172, 1)])).toEqual(places[2])
  expect(found(places)).toBeUndefined()
  expect(found(places, true)).toEqual(places[1])
})

it('shows a name only where it is next to no more than its own node', () => {
  const places = [boxAt(20, 20), boxAt(44, 20)]
  const own = boxAt(32, 20)
  const placed = (nodes: readonly Box[]) =>
    placeLabels([{ places, links: [], priority: 0, isWanted: false }], { ...map, nodes })[0]?.box
  expect(placed([own])).toEqual(places[0])
  expect(placed([own, boxAt(8, 20)])).toEqual(places[1])
  expect(placed([own, boxAt(8, 20), boxAt(56, 20)])).toBeUndefined()
})

it('puts a name that must be shown where it covers the fewest nodes', () => {
  const places = [boxAt(0, 0), boxAt(20, 0), boxAt(40, 0)]
  const nodes = [boxAt(2, 0), boxAt(4, 0), boxAt(22, 0), boxAt(42, 0), boxAt(44, 0)]
  const wanted = { places, links: [], priority: 0, isWanted: true }
  expect(placeLabels([wanted], { ...map, nodes })[0]?.box).toEqual(places[1])
})

it('puts a name where it crosses the fewest links of its node', () => {
  const node = { x: 37, y: 22 }
  const [right, left, below] = [boxAt(42, 20), boxAt(22, 20), boxAt(32, 30)]
  const placed = (...ends: { x: number; y: number }[]) => {
    const links = ends.map((to) => ({ from: node, to }))
    return placeLabels([{ places: [right, left, below], links, priority: 0, isWanted: false }], map)[0]?.box
  }
  expect(placed({ x: 37, y: 60 }, { x: 60, y: 60 })).toEqual(right)
  expect(placed({ x: 90, y: 22 })).toEqual(left)
  expect(placed({ x: 90, y: 23 }, { x: 10, y: 22 })).toEqual(below)
  expect(placed({ x: 90, y: 23 }, { x: 10, y: 22 }, { x: 37, y: 60 })).toEqual(right)
  expect(placed({ x: 39, y: 22 })).toEqual(right)
})

it('leaves no overlap in a crowd', () => {
  const crowd = Array.from({ length: 300 }, (_, at) => label((at * 37) % 100, (at * 53) % 60, (at * 7) % 11))
  const placed = shown(crowd)
  for (const one of placed) expect(shown([one, ...placed.filter((other) => other !== one)])).toHaveLength(placed.length)
})
