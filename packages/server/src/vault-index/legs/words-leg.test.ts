import { describe, expect, it } from 'vitest'
import { atOnce } from '../../core/in-pieces.ts'
import { keyQuery } from '../query.ts'
import { changeOf, idOf, testDay, wordTags, type TestRecord } from '../testing/records.ts'
import { VaultIndex } from '../vault-index.ts'
import { searchWords } from './words-leg.ts'

function indexOf(records: TestRecord[], isBuilt = true): VaultIndex {
  const index = new VaultIndex()
  index.apply(records.map(changeOf))
  if (isBuilt) atOnce(index.parts.words.invert())
  return index
}

function find(index: VaultIndex, question: string, wanted: (slot: number) => boolean = () => true) {
  const passes = (slot: number) => index.alive[slot] === 1 && wanted(slot)
  const query = keyQuery(question, testDay, wordTags)
  const { ranked, coverage } = searchWords(index, query, { passes, lends: passes }, 100)
  return { ids: ranked.map(({ slot }) => index.itemIdOf(slot)), ranked, coverage }
}

const many = (count: number, from: number, textOf: (i: number) => string, more: Partial<TestRecord> = {}) =>
  Array.from({ length: count }, (_, i) => ({ ...more, id: from + i, text: textOf(i) }))

describe('searchWords in large vaults', () => {
  it('finds records with only the more frequent words, if none that passes the filter has the rarest', () => {
    const note = { facts: { kind: 'note', type: 'note' } }
    const index = indexOf([
      ...many(10_000, 0, (i) => `alpha u${i % 90}`, note),
      ...many(10_100, 20_000, (i) => `beta u${i % 90}`, note),
      ...many(100, 40_000, (i) => `beta u${i % 90}`),
    ])
    const isMemory = (slot: number) => index.parts.facts.typeOf(slot) === 'fact'
    expect(find(index, 'alpha beta', isMemory).ids).toHaveLength(100)
  })

  it('ranks records with two of three words before those with only the rarest', () => {
    const index = indexOf([
      ...many(9000, 0, (i) => `alpha u${i % 90}`),
      ...many(12_000, 10_000, (i) => `beta u${i % 90}`),
      ...many(13_000, 30_000, (i) => `gamma u${i % 90}`),
      ...many(20, 50_000, () => 'beta gamma'),
    ])
    const { ids, coverage } = find(index, 'alpha beta gamma')
    expect(ids.slice(0, 20).toSorted()).toEqual(Array.from({ length: 20 }, (_, i) => idOf(50_000 + i)))
    expect(coverage).toBeCloseTo(find(index, 'alpha beta gamma', (slot) => slot >= 34_000).coverage, 10)
  })

  it('finds the same in built postings as by examining every item', () => {
    const words = ['oak', 'elm', 'ash', 'fir', 'yew', 'box']
    // The nth word in about every nth item.
    const textOf = (i: number) => words.filter((_, n) => (i * 7 + n) % (6 - n) === 0).join(' ')
    const records = many(3000, 0, (i) => `${textOf(i)} x${i % 50}`)
    const [built, newest] = [indexOf(records), indexOf(records, false)]
    for (const question of ['oak box', 'oak elm ash fir yew box', 'x7 yew box', 'fir ash', 'x1 x2 x3 oak'])
      for (const step of [1, 3, 40]) {
        const passes = (slot: number) => slot % step === 0
        expect(find(built, question, passes)).toEqual(find(newest, question, passes))
      }
  })
})

describe('searchWords among equals', () => {
  const at = (id: number, minutes: number): TestRecord => ({
    id,
    text: 'heron',
    header: { occurredAt: testDay + minutes * 60_000 },
  })

  it('finds the newest of however many', () => {
    for (const isBuilt of [true, false]) {
      const index = indexOf(
        many(300, 0, () => 'heron').map((record, i) => ({ ...record, ...at(i, i) })),
        isBuilt,
      )
      expect(find(index, 'heron').ids).toEqual(Array.from({ length: 100 }, (_, i) => idOf(299 - i)))
    }
  })

  it('orders by time, then by id, and not by the latest change', () => {
    const records = [at(1, 0), at(2, 5), at(3, 0), at(4, 9)]
    const index = indexOf(records, false)
    const order = [4, 2, 3, 1].map(idOf)
    expect(find(index, 'heron').ids).toEqual(order)
    index.apply([changeOf(at(1, 0))])
    expect(find(index, 'heron').ids).toEqual(order)
  })

  it('never reports more than full coverage of the question', () => {
    const words = Array.from({ length: 32 }, (_, i) => `w${i}`)
    const index = indexOf(words.map((_, i) => ({ id: i, text: words.slice(0, i + 1).join(' ') })))
    for (let count = 1; count <= 32; count++) {
      const { coverage } = find(index, words.slice(0, count).toReversed().join(' '))
      expect(coverage).toBeLessThanOrEqual(1)
      expect(coverage).toBeCloseTo(1, 10)
    }
  })
})
