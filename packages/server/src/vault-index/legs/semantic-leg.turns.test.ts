import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainCosines } from '../../embeddings/calibration.ts'
import type { ItemFacts } from '../parts/slot-columns.ts'
import { keyQuery } from '../query.ts'
import { filterTest, livenessTest } from '../live.ts'
import { searchVectors } from './semantic-leg.ts'
import { changeOf, idOf, testDay, wordTags, type TestRecord } from '../testing/records.ts'
import { VaultIndex } from '../vault-index.ts'

const asOf = testDay + 1000
const filter = { kinds: ['memory'], includeArchived: false, asOf, isRetrospective: true }
const modelId = 'm'

interface Turn {
  id: number
  /** The direction of its vector in two dimensions; without it, no vector. */
  angle: number | undefined
  run?: string
  at?: number
  text?: string
  facts?: Partial<ItemFacts>
}

const unit = (angle: number): number[] => [Math.cos(angle), Math.sin(angle)]

const recordOf = ({ id, angle, run = 'r', at = id, text = 'word', facts }: Turn): TestRecord => ({
  id,
  text,
  agentRunId: run,
  header: { occurredAt: testDay + at },
  ...(facts && { facts }),
  ...(angle !== undefined && { vectors: { modelId, chunks: [unit(angle)] } }),
})

function indexOf(turns: readonly Turn[]): VaultIndex {
  const index = new VaultIndex()
  index.apply(turns.map(recordOf).map(changeOf))
  return index
}

/** Cosines of the hits for a question with direction 0, by number. */
function cosinesOf(index: VaultIndex): Record<string, number> {
  const query = keyQuery('', asOf, wordTags)
  const tests = { passes: filterTest(index, filter), lends: livenessTest(index, filter) }
  const vector = { modelId, values: unit(0), calibration: plainCosines }
  const hits = searchVectors(index, query, vector, { ...tests, threshold: 0, depth: 100 })
  return Object.fromEntries(hits.map(({ slot, cosine }) => [index.itemIdOf(slot), cosine]))
}

const cosineOf = (turns: readonly Turn[], id: number): number => cosinesOf(indexOf(turns))[idOf(id)] ?? 0

/** Mean of the cosines, with the weight of each neighbor. */
const mean = (own: number, ...near: number[]): number =>
  near.reduce((sum, angle) => sum + 0.5 * Math.cos(angle), Math.cos(own)) / (1 + 0.5 * near.length)

const far: Turn = { id: 2, angle: 1.4 }
const near: Turn = { id: 1, angle: 0.1 }

describe('a turn among its neighbors', () => {
  it('is as near as it and the turns before and after it on average', () => {
    expect(cosineOf([far], 2)).toBeCloseTo(Math.cos(1.4), 1)
    expect(cosineOf([near, far], 2)).toBeCloseTo(mean(1.4, 0.1), 2)
    expect(cosineOf([near, far, { id: 3, angle: -0.3 }], 2)).toBeCloseTo(mean(1.4, 0.1, -0.3), 2)
  })

  it('reports its own similarity if that is greater, and ranks behind an equally near text without neighbors', () => {
    const index = indexOf([
      { id: 1, angle: 1.5 },
      { id: 2, angle: 0 },
      { id: 9, angle: 0.2, run: 'alone' },
    ])
    expect(cosinesOf(index)[idOf(2)]).toBeCloseTo(1, 2)
    expect(Object.keys(cosinesOf(index)).slice(0, 2)).toEqual([idOf(9), idOf(2)])
  })

  it('is found only through its neighbor', () => {
    expect(Object.keys(cosinesOf(indexOf([near, { id: 2, angle: 1.6 }])))).toContain(idOf(2))
  })

  it('follows the run: late arrivals, removals and other vectors count immediately', () => {
    const index = indexOf([near, far])
    const late = { id: 5, angle: 1.2, at: 1.5 }
    index.apply([changeOf(recordOf(late))])
    expect(cosinesOf(index)[idOf(2)]).toBeCloseTo(mean(1.4, 1.2), 2)
    index.apply([{ itemId: idOf(5), removed: true }])
    expect(cosinesOf(index)[idOf(2)]).toBeCloseTo(mean(1.4, 0.1), 2)
    index.apply([changeOf(recordOf({ ...near, angle: -0.8 }))])
    expect(cosinesOf(index)[idOf(2)]).toBeCloseTo(mean(1.4, -0.8), 2)
  })

  it('lends nothing to a long text, and gets nothing from one', () => {
    const text = Array.from({ length: 41 }, (_, i) => `word${i}`).join(' ')
    expect(cosineOf([near, { ...far, text }], 2)).toBeCloseTo(Math.cos(1.4), 1)
    expect(cosineOf([{ ...near, text }, far], 2)).toBeCloseTo(Math.cos(1.4), 1)
  })
})

describe('records that never lend to a turn', () => {
  const hidden: Partial<ItemFacts>[] = [
    { archived: true },
    { expiresAt: asOf },
    { supersededAt: asOf },
    { createdAt: 0, occurredAt: asOf + 86_400_000 },
  ]
  const angle = fc.double({ min: -3, max: 3, noNaN: true })
  const angles = fc.array(angle, { minLength: 3, maxLength: 3 })
  const turns = fc.array(fc.record({ angle: fc.option(angle, { nil: undefined }), at: fc.nat(12) }), { maxLength: 8 })

  /** Cosines of the turns, without the other records between them. */
  function cosinesAmong(drawn: readonly Omit<Turn, 'id'>[], others: readonly Turn[]): (number | undefined)[] {
    const own = drawn.map((turn, i) => ({ ...turn, id: i + 10 }))
    const cosines = cosinesOf(indexOf([...own, ...others]))
    return own.map(({ id }) => cosines[idOf(id)])
  }

  it('texts of other runs', () => {
    const others = (told: readonly number[]) =>
      told.map((each, i) => ({ id: i + 1, angle: each, run: 'other', at: i * 3 }))
    fc.assert(
      fc.property(turns, angles, (drawn, told) => {
        expect(cosinesAmong(drawn, others(told))).toEqual(cosinesAmong(drawn, []))
      }),
    )
  })

  it.each(hidden)('texts that are archived, expired, superseded or of a later day (%j)', (facts) => {
    const others = (told: readonly number[]) => told.map((each, i) => ({ id: i + 1, angle: each, at: i * 3, facts }))
    fc.assert(
      fc.property(turns, angles, angles, (drawn, told, other) => {
        expect(cosinesAmong(drawn, others(told))).toEqual(cosinesAmong(drawn, others(other)))
      }),
    )
  })
})
