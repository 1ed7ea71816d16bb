import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { Adjacency } from './adjacency.ts'

const all = () => true

const neighborsOf = (links: Adjacency, node: number, isWanted: (other: number) => boolean = all): number[] =>
  links.neighborsOf(node, { isWanted, counts: all }).neighbors.toSorted((a, b) => a - b)

it('walks links both ways, each once, and forgets removed ones', () => {
  const links = new Adjacency()
  links.add(1, 2, 0)
  links.add(1, 2, 0)
  links.add(3, 1, 0)
  links.add(1, 1, 0)
  expect(neighborsOf(links, 1)).toEqual([2, 3])
  expect(links.degreeOf(1)).toBe(2)
  links.remove(1, 2, 0)
  links.remove(1, 2, 0)
  expect(neighborsOf(links, 1)).toEqual([3])
  expect([links.degreeOf(1), links.degreeOf(2)]).toEqual([1, 0])
  links.add(1, 2, 0)
  expect(neighborsOf(links, 2)).toEqual([1])
  expect([...links.triples()]).toEqual([3, 1, 0, 1, 2, 0])
})

it('returns nothing for nodes without links', () => {
  expect(neighborsOf(new Adjacency(), 7)).toEqual([])
  expect(new Adjacency().degreeOf(7)).toBe(0)
})

it('walks a limited number of a hub’s links, the newest', () => {
  const links = new Adjacency()
  for (let node = 1; node <= 1000; node++) links.add(0, node, 0)
  expect(neighborsOf(links, 0)).toHaveLength(256)
  expect(neighborsOf(links, 0)).toContain(1000)
})

it('skips unwanted links up to a limit, and counts those beyond it as links', () => {
  const links = new Adjacency()
  for (let node = 1; node <= 1000; node++) links.add(0, node, 0)
  expect(neighborsOf(links, 0, (node) => node <= 3)).toEqual([1, 2, 3])
  const degree = (counts: (node: number) => boolean) => links.neighborsOf(0, { isWanted: counts, counts }).degree
  expect(degree((node) => node <= 3)).toBe(3)
  expect(degree(all)).toBe(1000)
  for (let node = 1001; node <= 6000; node++) links.add(0, node, 0)
  expect(neighborsOf(links, 0, (node) => node <= 3)).toEqual([])
  expect(degree((node) => node <= 3)).toBe(6000 - 4096)
})

it('skips removed links, and starts with one that was created again', () => {
  const links = new Adjacency()
  for (let node = 1; node <= 1000; node++) links.add(0, node, 0)
  for (let node = 11; node <= 1000; node++) links.remove(0, node, 0)
  expect(neighborsOf(links, 0)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  links.add(0, 500, 0)
  const walked: number[] = []
  links.forEachLink(0, (other) => walked.push(other) < 3)
  expect(walked).toEqual([500, 10, 9])
})

it('walks the right links after any changes, each way', () => {
  const change = fc.record({
    isRemoval: fc.boolean(),
    source: fc.nat(5),
    target: fc.nat(5),
    relation: fc.nat(1),
  })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const links = new Adjacency()
      // The latest last.
      const model = new Map<string, [number, number, number]>()
      for (const { isRemoval, source, target, relation } of changes) {
        const key = `${source} ${target} ${relation}`
        if (isRemoval) links.remove(source, target, relation)
        else links.add(source, target, relation)
        model.delete(key)
        if (!isRemoval && source !== target) model.set(key, [source, target, relation])
      }
      const newest = [...model.values()].toReversed()
      for (let node = 0; node <= 5; node++) {
        const walked: unknown[] = []
        links.forEachLink(node, (...link) => walked.push(link) > 0)
        const leaving = newest.filter(([source]) => source === node).map(([, target, code]) => [target, code, true])
        const reaching = newest.filter(([, target]) => target === node).map(([source, , code]) => [source, code, false])
        expect(walked).toEqual([...leaving, ...reaching])
        expect(links.degreeOf(node)).toBe(walked.length)
      }
      // So that a server that starts from a snapshot walks them in the same order.
      expect([...links.triples()]).toEqual([...model.values()].flat())
    }),
  )
})
