import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startProcessorClock } from '../../test/processor-time.ts'
import { relationTypes } from '../links/relation-types.ts'
import type { IndexLink } from '../vault-index/vault-index.ts'
import { VaultIndex } from '../vault-index/vault-index.ts'
import { changeOf, idOf, testDay, type TestRecord } from '../vault-index/testing/records.ts'
import { linksAmong, livenessNow, walkGraph, type WalkBounds } from './walk.ts'

const now = testDay + 1000

function indexOf(records: readonly TestRecord[], links: readonly IndexLink[]): VaultIndex {
  const index = new VaultIndex()
  index.apply(records.map(changeOf))
  index.addLinks(links)
  return index
}

const link = (source: number, target: number, relationType = 'references'): IndexLink => ({
  sourceId: idOf(source),
  targetId: idOf(target),
  relationType,
})

function walk(index: VaultIndex, starts: number[], bounds: Partial<WalkBounds> = {}) {
  const passes = livenessNow(index, now)
  return walkGraph(index, starts.map(idOf), { maxHops: 2, maxNodes: 50, passes, ...bounds })
}

const numberOf = (id: string) => Number.parseInt(id.slice(-12), 16)
const reached = (index: VaultIndex, starts: number[], bounds: Partial<WalkBounds> = {}) =>
  walk(index, starts, bounds).nodes.map(({ id, hop }) => [numberOf(id), hop])

const plain = (count: number): TestRecord[] => Array.from({ length: count }, (_, id) => ({ id }))

describe('a walk', () => {
  it('follows links in both directions, hop by hop, and ends in cycles', () => {
    const index = indexOf(plain(5), [link(0, 1), link(2, 1), link(2, 3), link(3, 0), link(3, 4)])
    expect(reached(index, [0], { maxHops: 1 })).toEqual([
      [0, 0],
      [1, 1],
      [3, 1],
    ])
    expect(new Map(reached(index, [0], { maxHops: 5 }) as [number, number][])).toEqual(
      new Map([
        [0, 0],
        [1, 1],
        [2, 2],
        [3, 1],
        [4, 2],
      ]),
    )
  })

  it('visits the more important nodes first, then the newer ones', () => {
    const facts = [{}, { importance: 2 }, { importance: 5 }, { createdAt: testDay - 9 }, { createdAt: testDay - 8 }]
    const index = indexOf(
      facts.map((own, id) => ({ id, facts: own })),
      [1, 2, 3, 4].map((id) => link(0, id)),
    )
    expect(reached(index, [0]).map(([id]) => id)).toEqual([0, 2, 4, 3, 1])
  })

  it('gives the neighbours of each node their turn', () => {
    const hub = Array.from({ length: 100 }, (_, n) => link(0, n + 10))
    const index = indexOf(plain(110), [...hub, link(1, 2), link(1, 3)])
    const ids = reached(index, [0, 1], { maxNodes: 6 }).map(([id]) => id)
    expect(ids).toEqual(expect.arrayContaining([2, 3]))
    expect(ids).toHaveLength(6)
  })

  it('goes through nothing that is archived, expired, superseded or unknown', () => {
    const gone = [{ archived: true }, { expiresAt: now }, { supersededAt: testDay }, {}]
    const records = gone.map((facts, id) => ({ id: id + 1, facts }))
    const index = indexOf(
      [{ id: 0 }, ...records, { id: 10 }],
      [1, 2, 3, 4, 99].flatMap((id) => [link(0, id), link(id, 10)]),
    )
    expect(reached(index, [0], { maxHops: 1 })).toEqual([
      [0, 0],
      [4, 1],
    ])
    index.apply([{ itemId: idOf(4), removed: true }])
    expect(reached(index, [0])).toEqual([[0, 0]])
    expect(walk(index, [77]).nodes).toEqual([])
  })

  it('follows the requested relations, even if a hub has only a few of them', () => {
    const many = Array.from({ length: 1000 }, (_, n) => link(0, n + 10, 'wiki_link'))
    const index = indexOf(plain(1010), [link(0, 1, 'refines'), link(2, 0, 'part_of'), ...many])
    const only = (relation: 'refines' | 'part_of' | 'manual') => walk(index, [0], { relationTypes: [relation] })
    expect(only('refines').nodes[1]).toMatchObject({
      id: idOf(1),
      via: { relationType: 'refines', isLeaving: true, from: { id: idOf(0) } },
    })
    expect(only('part_of').nodes[1]).toMatchObject({ id: idOf(2), via: { isLeaving: false } })
    expect([only('manual').nodes.length, only('manual').isCut]).toEqual([1, false])
  })

  it('says that there was more', () => {
    const many = Array.from({ length: 300 }, (_, n) => link(0, n + 1))
    const index = indexOf(plain(301), many)
    expect(walk(index, [0], { maxNodes: 20 })).toMatchObject({ isCut: true })
    expect(walk(index, [0], { maxNodes: 1000 }).nodes).toHaveLength(257)
    expect(walk(index, [0], { maxNodes: 1000 }).isCut).toBe(true)
    expect(walk(index, [1], { maxHops: 1 })).toMatchObject({ isCut: false })
  })
})

describe('links among nodes', () => {
  it('are those with both ends among them, each once', () => {
    const index = indexOf(plain(4), [link(0, 1), link(1, 0), link(0, 1, 'refines'), link(1, 2), link(2, 3)])
    const { nodes } = walk(index, [0], { maxHops: 2 })
    expect(
      linksAmong(index, nodes, { maxLinks: 100 }).links.map(({ sourceId, targetId, relationType }) => [
        numberOf(sourceId),
        numberOf(targetId),
        relationType,
      ]),
    ).toEqual(
      expect.arrayContaining([
        [0, 1, 'references'],
        [1, 0, 'references'],
        [0, 1, 'refines'],
        [1, 2, 'references'],
      ]),
    )
    expect(linksAmong(index, nodes, { maxLinks: 100 }).links).toHaveLength(4)
    expect(linksAmong(index, nodes, { maxLinks: 3 })).toMatchObject({ links: { length: 3 }, isCut: true })
  })
})

const graph = fc.record({
  importances: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 25 }),
  gone: fc.array(fc.nat(24), { maxLength: 8 }),
  edges: fc.array(fc.tuple(fc.nat(24), fc.nat(24), fc.constantFrom(...relationTypes)), { maxLength: 80 }),
  starts: fc.array(fc.nat(24), { maxLength: 5 }),
  maxHops: fc.integer({ min: 1, max: 5 }),
  maxNodes: fc.integer({ min: 5, max: 30 }),
})
type Graph = typeof graph extends fc.Arbitrary<infer G> ? G : never

function build({ importances, gone, edges }: Graph, order: 'as given' | 'turned round'): VaultIndex {
  const records = importances.map((importance, id) => ({ id, facts: { importance, archived: gone.includes(id) } }))
  const links = edges.map(([source, target, relation]) => link(source, target, relation))
  return order === 'as given' ? indexOf(records, links) : indexOf(records.toReversed(), links.toReversed())
}

/** Distances by the textbook, over live nodes. */
function distances({ importances, gone, edges }: Graph, starts: number[]): Map<number, number> {
  const isLive = (id: number) => id < importances.length && !gone.includes(id)
  const hops = new Map(starts.map((id) => [id, 0]))
  for (let changed = true; changed;) {
    changed = false
    for (const [a, b] of edges.flatMap(([x, y]) => [[x, y] as const, [y, x] as const])) {
      const hop = (hops.get(a) ?? Infinity) + 1
      if (!isLive(b) || hop >= (hops.get(b) ?? Infinity)) continue
      hops.set(b, hop)
      changed = true
    }
  }
  return hops
}

describe('any graph', () => {
  it('is walked within its limits, over live nodes, to every node that they allow', () => {
    fc.assert(
      fc.property(graph, (given) => {
        const { gone, importances, maxHops, maxNodes } = given
        const starts = [...new Set(given.starts)].filter((id) => id < importances.length && !gone.includes(id))
        const index = build(given, 'as given')
        const { nodes, isCut } = walk(index, starts, { maxHops, maxNodes })
        const ids = nodes.map(({ id }) => numberOf(id))
        expect(new Set(ids).size).toBe(ids.length)
        expect(ids.length).toBeLessThanOrEqual(maxNodes)
        const expected = [...distances(given, starts)].filter(([, hop]) => hop <= maxHops)
        expect(isCut).toBe(expected.length > maxNodes)
        expect(ids).toHaveLength(Math.min(expected.length, maxNodes))
        for (const { id, hop, via } of nodes) {
          expect(new Map(expected).get(numberOf(id))).toBe(hop)
          expect(via?.from.hop ?? -1).toBe(hop - 1)
        }
        const among = linksAmong(index, nodes, { maxLinks: 1000 }).links
        const inside = given.edges.filter(([a, b]) => a !== b && ids.includes(a) && ids.includes(b))
        expect(new Set(among.map((one) => JSON.stringify(one)))).toEqual(
          new Set(inside.map(([a, b, relation]) => JSON.stringify(link(a, b, relation)))),
        )
      }),
    )
  })

  it('is walked the same way on every server, whatever the order of its writes', () => {
    fc.assert(
      fc.property(graph, (given) => {
        const starts = given.starts.filter((id) => id < given.importances.length)
        const { maxHops, maxNodes } = given
        const [one, other] = (['as given', 'turned round'] as const).map((order) =>
          walk(build(given, order), starts, { maxHops, maxNodes }),
        )
        expect(other).toEqual(one)
      }),
    )
  })
})

it('is fast in a fully linked graph, and at a hub with 100,000 links', () => {
  const count = 300
  const toAll = Array.from({ length: count * count }, (_, n) => link(n % count, Math.floor(n / count)))
  const hub = Array.from({ length: 100_000 }, (_, n) => link(n % 2 === 0 ? 0 : n + count, n % 2 === 0 ? n + count : 0))
  const index = indexOf(plain(count), [...hub, ...toAll])
  const usedMs = startProcessorClock()
  const { nodes } = walk(index, [0], { maxHops: 5, maxNodes: 200, relationTypes: ['references', 'refines'] })
  const { links } = linksAmong(index, nodes, { maxLinks: 2000 })
  // 7 ms here (November 2026): far from the seconds that all links of all nodes would take.
  expect(usedMs()).toBeLessThan(1_000)
  expect([nodes.length, links.length]).toEqual([200, 2000])
  // The hub's links to others than these are more than are looked at.
  expect(linksAmong(index, nodes.slice(0, 1), { maxLinks: 2000 })).toEqual({ links: [], isCut: true })
})

it('limits the links of a hop to what takes 50 ms, and says that there were more', () => {
  const count = 1000
  const links = Array.from({ length: count * 256 }, (_, n) => link(n % count, (n + Math.floor(n / count) + 1) % count))
  const index = indexOf(plain(count), links)
  const all = index.parts.links
  const forEachLink = all.forEachLink.bind(all)
  let followed = 0
  all.forEachLink = (node, visit) => forEachLink(node, (...each) => ++followed > 0 && visit(...each))
  const { nodes, isCut } = walk(index, [0], { maxHops: 3, maxNodes: 1001 })
  expect([nodes.length, isCut]).toEqual([1000, true])
  // All of them: 512,000.
  expect(followed).toBeLessThan(3 * 2 * (32_768 + count))
})
