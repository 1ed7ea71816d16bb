import type { GraphNode } from '@holdfast/client/dashboard'
import { describe, expect, it } from 'vitest'
import {
  byDegree,
  compose,
  leavesOf,
  sharedEntities,
  maxEntities,
  maxShown,
  rowsOf,
  sortRows,
  storedBy,
  type GraphEdge,
  type GraphPart,
} from './graph-model.ts'

const node = (id: string, degree = 1, createdAt = '2026-11-21T09:00:00.000Z'): GraphNode => ({
  id,
  type: 'memory',
  title: id,
  hop: 0,
  degree,
  live: true,
  createdAt,
})

const edge = (linkId: string, sourceId: string, targetId: string): GraphEdge => ({
  origin: 'agent',
  linkId,
  sourceType: 'memory',
  sourceId,
  targetType: 'memory',
  targetId,
  relationType: 'references',
  label: null,
  createdAt: '2026-11-21T09:00:00.000Z',
})

const part = (ids: string[], ends: [string, string][] = []): GraphPart => ({
  nodes: ids.map((id) => node(id)),
  edges: ends.map(([source, target]) => edge(`${source}-${target}`, source, target)),
})

const nothing = { nodes: new Set<string>(), edges: new Set<string>() }
const all = { hasEntities: true, hasUnlinked: true, kept: new Set<string>() }
const shownOf = (parts: GraphPart[], without: Partial<typeof nothing> = {}) =>
  compose(parts, { ...nothing, ...without }, all)

describe('compose', () => {
  it('combines answers, including links between nodes of different answers', () => {
    const shown = shownOf([part(['a', 'b']), part(['b', 'c']), part([], [['a', 'c']])])
    expect([...shown.nodes.keys()]).toEqual(['a', 'b', 'c'])
    expect([...shown.edges.keys()]).toEqual(['a-c'])
  })

  it('leaves out removed links and links to hidden nodes', () => {
    const parts = [
      part(
        ['a', 'b', 'c'],
        [
          ['a', 'b'],
          ['b', 'c'],
          ['c', 'a'],
        ],
      ),
    ]
    const shown = shownOf(parts, { nodes: new Set(['a']), edges: new Set(['b-c']) })
    expect([...shown.nodes.keys()]).toEqual(['b', 'c'])
    expect(shown.edges.size).toBe(0)
  })

  it('shows the first nodes up to the limit, and counts the others', () => {
    const ids = Array.from({ length: maxShown + 3 }, (_, n) => `n${n}`)
    const shown = shownOf([part(ids), part(['n1', 'x'])])
    expect([shown.nodes.size, shown.leftOut, shown.nodes.has('n1999'), shown.nodes.has('x')]).toEqual([
      maxShown,
      4,
      true,
      false,
    ])
  })
})

describe('unlinked nodes', () => {
  const parts = [part(['a', 'b', 'c', 'd'], [['a', 'b']])]

  it('are hidden unless they are asked for or kept, and counted', () => {
    const hidden = compose(parts, nothing, { ...all, hasUnlinked: false })
    expect([[...hidden.nodes.keys()], hidden.unlinked]).toEqual([['a', 'b'], 2])
    const kept = compose(parts, nothing, { ...all, hasUnlinked: false, kept: new Set(['d']) })
    expect([[...kept.nodes.keys()], kept.unlinked]).toEqual([['a', 'b', 'd'], 1])
    expect([shownOf(parts).nodes.size, shownOf(parts).unlinked]).toEqual([4, 2])
  })
})

describe('entities', () => {
  const about = (id: string, nodeIds: string[]) => ({ id, name: `About ${id}`, count: 5, nodeIds })
  const parts = [
    { ...part(['a', 'b']), entities: [about('x', ['a'])] },
    { ...part(['c']), entities: [about('x', ['c', 'gone']), about('y', ['gone'])] },
  ]

  it('are nodes linked to the records of all answers that are about them', () => {
    const shown = shownOf(parts)
    expect([...shown.nodes.keys()]).toEqual(['a', 'b', 'c', 'ex'])
    expect(shown.nodes.get('ex')).toMatchObject({ type: 'entity', title: 'About x', degree: 5 })
    expect(Array.from(shown.edges.values(), ({ sourceId, targetId }) => sourceId + targetId)).toEqual(['aex', 'cex'])
    expect(sharedEntities(shown, 'a', 'c').map(({ id }) => id)).toEqual(['ex'])
    expect(sharedEntities(shown, 'a', 'b')).toEqual([])
  })

  it('link nodes that would be unlinked without them, and can be left out', () => {
    expect([...compose(parts, nothing, { ...all, hasUnlinked: false }).nodes.keys()]).toEqual(['a', 'c', 'ex'])
    expect(compose(parts, nothing, { ...all, hasEntities: false, hasUnlinked: false }).nodes.size).toBe(0)
    expect(shownOf(parts, { nodes: new Set(['ex']) }).nodes.size).toBe(3)
  })

  it('are bounded in number, those that connect most first', () => {
    const ids = Array.from({ length: maxEntities + 20 }, (_, at) => `e${at}`)
    const entities = [...ids.map((id) => about(id, ['a'])), about('best', ['a', 'b'])]
    const shown = shownOf([{ ...part(['a', 'b']), entities }])
    expect(shown.nodes.size).toBe(maxEntities + 2)
    expect(shown.nodes.has('ebest')).toBe(true)
  })
})

describe('leavesOf', () => {
  it('returns the nodes linked only to the given one, by any number of links', () => {
    const shown = shownOf([
      part(
        ['a', 'b', 'c', 'd'],
        [
          ['a', 'b'],
          ['b', 'a'],
          ['a', 'c'],
          ['c', 'd'],
        ],
      ),
    ])
    expect(leavesOf(shown, 'a')).toEqual(['b'])
    expect(leavesOf(shown, 'c')).toEqual(['d'])
  })
})

describe('byDegree', () => {
  it('puts the most connected first, then sorts by name', () => {
    const shown = shownOf([{ nodes: [node('b'), node('a'), node('c', 5)], edges: [] }])
    expect(byDegree(shown).map(({ id }) => id)).toEqual(['c', 'a', 'b'])
  })
})

describe('the rows of the table', () => {
  const shown = shownOf([
    part(
      ['a', 'b', 'c', 'z'],
      [
        ['b', 'a'],
        ['a', 'c'],
      ],
    ),
  ])
  const sorted = (column: 'source' | 'target', isDescending = false) =>
    sortRows(rowsOf(shown), column, isDescending).map(({ key }) => key)

  it('include nodes without links', () => {
    expect(rowsOf(shown).map(({ key }) => key)).toEqual(['b-a', 'a-c', 'z'])
  })

  it('are sorted by a column in both directions, empty values last', () => {
    expect(sorted('source')).toEqual(['a-c', 'b-a', 'z'])
    expect(sorted('target')).toEqual(['b-a', 'a-c', 'z'])
    expect(sorted('target', true)).toEqual(['a-c', 'b-a', 'z'])
  })
})

describe('storedBy', () => {
  it('leaves out later nodes and their links', () => {
    const nodes = ['a', 'b', 'c'].map((id, at) => node(id, 1, `2026-11-2${at + 1}T09:00:00.000Z`))
    const shown = compose([{ nodes, edges: [edge('ab', 'a', 'b'), edge('bc', 'b', 'c')] }], nothing, all)
    const then = storedBy(shown, Date.parse('2026-11-22T09:00:00.000Z'))
    expect([[...then.nodes.keys()], [...then.edges.keys()]]).toEqual([['a', 'b'], ['ab']])
  })
})
