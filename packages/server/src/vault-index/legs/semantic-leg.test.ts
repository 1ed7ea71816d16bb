import { quantize } from '../stored/entry.ts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCalibration, plainCosines } from '../../embeddings/calibration.ts'
import { keyQuery } from '../query.ts'
import { searchVectors } from './semantic-leg.ts'
import { changeOf, idOf, testDay, wordTags } from '../testing/records.ts'
import { VaultIndex } from '../vault-index.ts'

const modelId = 'm'
const everything = { passes: () => true, lends: () => true }
const unit = (angle: number): number[] => [Math.cos(angle), Math.sin(angle)]

function indexOf(items: readonly (readonly number[])[]): VaultIndex {
  const index = new VaultIndex()
  const changes = items.map((angles, id) =>
    changeOf({ id, text: 'word', ...(angles.length > 0 && { vectors: { modelId, chunks: angles.map(unit) } }) }),
  )
  index.apply(changes)
  return index
}

function search(index: VaultIndex, passes: (slot: number) => boolean, calibration = plainCosines, threshold = 0) {
  const query = keyQuery('', testDay, wordTags)
  const vector = { modelId, values: unit(0), calibration }
  return searchVectors(index, query, vector, { passes, lends: passes, threshold, depth: 100 })
}

describe('searchVectors', () => {
  it('finds the nearest of all that pass the filter, whatever excludes the others', () => {
    const angle = fc.double({ min: -3, max: 3, noNaN: true })
    // So many that the floor is estimated from a sample.
    const items = fc.array(fc.array(angle, { maxLength: 3 }), { minLength: 300, maxLength: 500 })
    fc.assert(
      fc.property(items, fc.integer({ min: 1, max: 40 }), fc.boolean(), (drawn, step, isNearHidden) => {
        const index = indexOf(drawn)
        const passes = (slot: number) =>
          slot % step === 0 && !(isNearHidden && (drawn[slot] ?? []).some((each) => Math.abs(each) < 1))
        const cosines = index.vectorsOf(modelId, 2)?.scan(quantize(unit(0))) ?? []
        const nearest = new Map<number, number>()
        cosines.forEach((cosine, row) => {
          const slot = index.vectorsOf(modelId, 2)?.rowSlots[row] ?? -1
          if (cosine > (nearest.get(slot) ?? 0) && passes(slot)) nearest.set(slot, cosine)
        })
        const expected = [...nearest].toSorted((a, b) => b[1] - a[1] || b[0] - a[0]).slice(0, 100)
        const found = search(index, passes)
        expect(found.map(({ slot, cosine }) => [slot, cosine])).toEqual(expected)
      }),
      { numRuns: 40, endOnFailure: true },
    )
  })

  it('finds the only one that passes the filter behind hundreds that are nearer', () => {
    const index = indexOf(Array.from({ length: 400 }, (_, id) => [id === 77 ? 1.2 : 0.3]))
    expect(search(index, (slot) => slot === 77).map(({ slot }) => slot)).toEqual([77])
  })

  it('finds the newest of hundreds that are equally near, wherever the similarities of the model begin', () => {
    const newest = Array.from({ length: 100 }, (_, place) => 399 - place)
    const index = new VaultIndex()
    const vectors = { modelId, chunks: [unit(0.3)] }
    index.apply(newest.flatMap((id) => [id, id - 100, id - 200, id - 300]).map(saidByAnn))
    function saidByAnn(id: number) {
      return changeOf({ id, text: 'word', header: { speaker: 'Ann' }, vectors })
    }
    const query = keyQuery('ann', testDay, wordTags)
    // For some of them, a score converts to a cosine that is a little higher than the one it came from.
    for (let begin = 1; begin < 600; begin++) {
      const vector = { modelId, values: unit(0), calibration: createCalibration([[begin / 1_000, 0]]) }
      const found = searchVectors(index, query, vector, { ...everything, threshold: 0, depth: 100 })
      expect(found.map(({ slot }) => index.itemIdOf(slot))).toEqual(newest.map(idOf))
    }
  })

  it('returns the nearest chunk', () => {
    const hits = search(indexOf([[1, 0.2, 2], [], [0.5]]), () => true)
    expect(hits.map(({ slot, chunk }) => [slot, chunk])).toEqual([
      [0, 1],
      [2, 0],
    ])
  })

  it('converts a cosine by the model’s calibration, and applies the threshold to it', () => {
    const calibration = createCalibration([
      [0.5, 0],
      [0.8, 0.4],
    ])
    const [near, far, ...none] = search(indexOf([[0.1], [0.9], [1.2]]), () => true, calibration, 0.4)
    expect(near).toMatchObject({ slot: 0, isNear: true })
    expect(far).toMatchObject({ slot: 1, isNear: false })
    expect(far?.similarity).toBeCloseTo(0.16, 1)
    // Scores are scaled too, starting at the cosine of unrelated texts.
    expect(far?.score).toBeCloseTo((Math.cos(0.9) - 0.5) / 0.5, 1)
    expect(none).toEqual([])
  })

  it('finds what is near by itself, however far its neighbors in the run are', () => {
    const index = new VaultIndex()
    const turn = (id: number, angle: number) =>
      changeOf({ id, text: 'word', agentRunId: 'r', vectors: { modelId, chunks: [unit(angle)] } })
    index.apply([turn(1, 3), turn(2, 0.8), turn(3, 3)])
    const hits = search(index, () => true, plainCosines, 0.4)
    expect(hits).toMatchObject([{ slot: 1, isNear: true, score: 0 }])
  })
})
