import { describe, expect, it } from 'vitest'
import { expandLinks } from './graph-leg.ts'
import { livenessTest } from '../live.ts'
import { changeOf, idOf, testDay, type TestRecord } from '../testing/records.ts'
import { VaultIndex } from '../vault-index.ts'
import { processorMs } from '../../../test/processor-time.ts'

const link = (source: number, target: number) => ({
  sourceId: idOf(source),
  targetId: idOf(target),
  relationType: 'references',
})

function indexOf(records: TestRecord[], links: [source: number, target: number][] = []): VaultIndex {
  const index = new VaultIndex()
  index.apply(records.map(changeOf))
  index.addLinks(links.map(([source, target]) => link(source, target)))
  return index
}

const isLive = (index: VaultIndex) =>
  livenessTest(index, { kinds: [], includeArchived: false, asOf: testDay, isRetrospective: false })

/** The scores that hits lend through links, by id. */
function lentBy(index: VaultIndex, scores: Record<number, number>, faintIds: number[] = []) {
  const slotOf = (id: number) => index.slotOf(idOf(id))
  const fused = new Map(Object.entries(scores).map(([id, score]) => [slotOf(Number(id)), score]))
  const passes = isLive(index)
  const lent = expandLinks(index, { fused, faint: new Set(faintIds.map(slotOf)) }, { passes, lends: passes })
  return Object.fromEntries(
    lent.map(({ slot, score }) => [Number.parseInt(index.itemIdOf(slot).slice(-12), 16), score]),
  )
}

const archived = { archived: true }
const many = (count: number, of: (i: number) => TestRecord) => Array.from({ length: count }, (_, i) => of(i))

describe('expandLinks', () => {
  it('lends a faint item no more than keeps it behind the lender', () => {
    const index = indexOf([{ id: 1 }, { id: 2 }], [[1, 2]])
    expect(lentBy(index, { 1: 1, 2: 0.5 })[2]).toBeCloseTo(0.45, 10)
    expect(lentBy(index, { 1: 1, 2: 0.5 }, [2])[2]).toBeCloseTo(0.45, 10)
  })

  it('lets a faint item lend nothing, and no other hit lend in its place', () => {
    const records = many(8, (id) => ({ id }))
    const index = indexOf(records, [[0, 7], [5, 6]]) // prettier-ignore
    const scores = { 0: 1, 1: 0.9, 2: 0.8, 3: 0.7, 4: 0.6, 5: 0.5 }
    expect(Object.keys(lentBy(index, scores))).toEqual(['7'])
    expect(lentBy(index, scores, [0])).toEqual({})
  })

  it('counts only links to live records, however many lead to archived ones', () => {
    const records: TestRecord[] = [{ id: 1 }, { id: 2 }, ...many(300, (i) => ({ id: 10 + i, facts: archived }))]
    const links = many(300, (i) => ({ id: i })).map(({ id }): [number, number] => [1, 10 + id])
    const alone = lentBy(indexOf(records, [[1, 2]]), { 1: 1 })
    expect(alone).toEqual({ 2: 0.9 })
    expect(lentBy(indexOf(records, [[1, 2], ...links.slice(0, 60)]), { 1: 1 })).toEqual(alone)
    expect(lentBy(indexOf(records, [[1, 2], ...links]), { 1: 1 })).toEqual(alone)
  })

  it('counts a name as specific, however many archived records have it', () => {
    const bearer = (id: number, facts = {}): TestRecord => ({
      id,
      text: `t${id}`,
      header: { entities: ['Blue Heron'] },
      facts,
    })
    const asked: TestRecord = { id: 1, text: 'we met at the Blue Heron' }
    const alone = lentBy(indexOf([asked, bearer(2)]), { 1: 1 })
    expect(alone).toEqual({ 2: 0.9 })
    expect(lentBy(indexOf([asked, bearer(2), ...many(20, (i) => bearer(100 + i, archived))]), { 1: 1 })).toEqual(alone)
  })

  it('is fast if thousands of archived records have the same name', () => {
    const bearers = many(20_000, (i) => ({ id: 100 + i, header: { entities: ['Blue Heron'] }, facts: archived }))
    const names = Array.from({ length: 200 }, (_, i) => `heron number${i}`)
    const others = names.map((name, i): TestRecord => ({ id: 50_000 + i, header: { entities: [name, 'Blue Heron'] } }))
    const index = indexOf([{ id: 1, text: `blue heron ${names.join(' blue heron ')}` }, ...others, ...bearers])
    const times = many(5, (id) => ({ id })).map(() => processorMs(() => lentBy(index, { 1: 1 })))
    expect(Math.min(...times)).toBeLessThan(50)
  })
})
