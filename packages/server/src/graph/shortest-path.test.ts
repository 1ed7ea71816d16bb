import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeOf, idOf, testDay } from '../vault-index/testing/records.ts'
import { VaultIndex, type IndexLink } from '../vault-index/vault-index.ts'
import { shortestPath } from './shortest-path.ts'
import { livenessNow } from './walk.ts'

type Ends = readonly [source: number, target: number]

function indexOf(count: number, ends: readonly Ends[], archived: readonly number[] = []): VaultIndex {
  const index = new VaultIndex()
  const ids = Array.from({ length: count }, (_, id) => id)
  index.apply(ids.map((id) => changeOf({ id, facts: { archived: archived.includes(id) } })))
  index.addLinks(
    ends.map(([source, target]): IndexLink => ({
      sourceId: idOf(source),
      targetId: idOf(target),
      relationType: 'references',
    })),
  )
  return index
}

const path = (index: VaultIndex, from: number, to: number, maxLinks?: number) =>
  shortestPath(index, idOf(from), idOf(to), {
    passes: livenessNow(index, testDay + 1000),
    ...(maxLinks !== undefined && { maxLinks }),
  })

const numbers = (nodes: readonly { id: string }[]) => nodes.map(({ id }) => Number.parseInt(id.slice(-12), 16))

/** The number of links on the shortest path, by counting level by level; undefined if there is none. */
function distance(ends: readonly Ends[], from: number, to: number): number | undefined {
  const seen = new Map([[from, 0]])
  for (const [node, links] of seen)
    for (const [a, b] of ends) {
      const other = a === node ? b : b === node ? a : undefined
      if (other !== undefined && !seen.has(other)) seen.set(other, links + 1)
    }
  return seen.get(to)
}

describe('the shortest path', () => {
  it('is as long as counting level by level finds it, each step along a link', () => {
    const node = fc.integer({ min: 0, max: 11 })
    fc.assert(
      fc.property(fc.array(fc.tuple(node, node), { maxLength: 24 }), node, node, (ends, from, to) => {
        const links = ends.filter(([a, b]) => a !== b)
        const { nodes, isCut } = path(indexOf(12, links), from, to)
        expect(isCut).toBe(false)
        expect(nodes.length - 1).toBe(distance(links, from, to) ?? -1)
        for (const { id, via } of nodes.slice(1)) {
          const step = numbers([{ id: via?.from.id ?? '' }, { id }])
          expect(links).toContainEqual(via?.isLeaving === true ? step : step.toReversed())
        }
      }),
    )
  })

  it('avoids archived nodes, except at its ends', () => {
    const ends = [
      [0, 1],
      [1, 2],
      [0, 3],
      [3, 4],
      [4, 2],
    ] as const
    expect(numbers(path(indexOf(5, ends, [1]), 0, 2).nodes)).toEqual([0, 3, 4, 2])
    expect(numbers(path(indexOf(5, ends, [0, 2]), 0, 2).nodes)).toEqual([0, 1, 2])
  })

  it('stops at its limit, and says so, if there are too many links', () => {
    const hub = Array.from({ length: 50 }, (_, n): Ends => [0, n + 2])
    const index = indexOf(60, [...hub, [1, 55], [55, 56], [56, 57], [57, 58], [58, 10]])
    expect(path(index, 0, 1)).toMatchObject({ isCut: false, nodes: { length: 7 } })
    expect(path(index, 0, 1, 5)).toEqual({ nodes: [], isCut: true })
  })
})
