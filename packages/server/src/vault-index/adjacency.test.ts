import { expect, it } from 'vitest'
import { Adjacency } from './adjacency.ts'

const neighboursOf = (links: Adjacency, node: number): number[] => {
  const found: number[] = []
  links.forEachNeighbour(node, (other) => found.push(other))
  return found.toSorted((a, b) => a - b)
}

it('walks links both ways, each once, and forgets removed ones', () => {
  const links = new Adjacency()
  links.add(1, 2, 0)
  links.add(1, 2, 0)
  links.add(3, 1, 0)
  links.add(1, 1, 0)
  expect(neighboursOf(links, 1)).toEqual([2, 3])
  expect(links.degreeOf(1)).toBe(2)
  links.remove(1, 2, 0)
  links.remove(1, 2, 0)
  expect(neighboursOf(links, 1)).toEqual([3])
  expect([links.degreeOf(1), links.degreeOf(2)]).toEqual([1, 0])
  links.add(1, 2, 0)
  expect(neighboursOf(links, 2)).toEqual([1])
  expect([...links.triples()]).toEqual([1, 2, 0, 3, 1, 0])
})

it('knows nothing of nodes without links', () => {
  expect(neighboursOf(new Adjacency(), 7)).toEqual([])
  expect(new Adjacency().degreeOf(7)).toBe(0)
})

it('walks a bounded number of a hub’s links, the newest', () => {
  const links = new Adjacency()
  for (let node = 1; node <= 1000; node++) links.add(0, node, 0)
  expect(neighboursOf(links, 0)).toHaveLength(256)
  expect(neighboursOf(links, 0)).toContain(1000)
})
