import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCalibration, plainCosines, type Knot, guessCalibration } from './calibration.ts'

const rising = (least: number) =>
  fc
    .uniqueArray(fc.integer({ min: least * 1000 + 1, max: 999 }), { minLength: 4, maxLength: 4 })
    .map((numbers) => numbers.toSorted((a, b) => a - b).map((number) => number / 1000))

const anyKnots: fc.Arbitrary<Knot[]> = fc
  .tuple(rising(-1), rising(0), fc.integer({ min: 0, max: 4 }))
  .map(([cosines, similarities, count]) =>
    cosines.slice(0, count).map((cosine, i): Knot => [cosine, similarities[i] ?? Number.NaN]),
  )

const anyCosine = fc.double({ min: -1, max: 1, noNaN: true })
const anySimilarity = fc.double({ min: 0, max: 1, noNaN: true })

describe('createCalibration', () => {
  it('passes through its knots and is linear between them', () => {
    const { toSimilarity } = createCalibration([
      [0.3, 0.4],
      [0.37, 0.5],
    ])
    expect(toSimilarity(0.3)).toBe(0.4)
    expect(toSimilarity(0.37)).toBe(0.5)
    expect(toSimilarity(0.335)).toBeCloseTo(0.45)
    expect(toSimilarity(0.15)).toBeCloseTo(0.2)
    expect([-1, -0.2, 0].map(toSimilarity)).toEqual([0, 0, 0])
    expect([1, 1.000001].map(toSimilarity)).toEqual([1, 1])
  })

  it('returns 0 below a knot with similarity 0, which models need that find everything similar', () => {
    const { toSimilarity, toCosine } = createCalibration([
      [0.7, 0],
      [0.8, 0.4],
    ])
    expect([0.69, 0.7].map(toSimilarity)).toEqual([0, 0])
    expect(toSimilarity(0.75)).toBeCloseTo(0.2)
    expect(toCosine(0.2)).toBeCloseTo(0.75)
    expect(toCosine(0)).toBe(-1)
  })

  it('starts at -1 if a knot is below 0', () => {
    expect(createCalibration([[-0.1, 0.4]]).knots).toEqual([
      [-1, 0],
      [-0.1, 0.4],
      [1, 1],
    ])
  })

  it('returns cosines unchanged without knots', () => {
    expect([-0.3, 0, 0.4, 1].map(plainCosines.toSimilarity)).toEqual([0, 0, 0.4, 1])
  })

  it.each<[string, Knot[]]>([
    [
      'similarities that fall',
      [
        [0.3, 0.5],
        [0.4, 0.4],
      ],
    ],
    [
      'cosines that fall',
      [
        [0.4, 0.4],
        [0.3, 0.5],
      ],
    ],
    [
      'two knots with the same similarity',
      [
        [0.3, 0.4],
        [0.4, 0.4],
      ],
    ],
    ['a similarity above 1', [[0.3, 1.2]]],
    ['a similarity below 0', [[0.3, -0.2]]],
    ['a cosine below -1', [[-1.5, 0.1]]],
    ['NaN', [[Number.NaN, 0.1]]],
    ['a cosine below 1 with the similarity 1', [[0.9, 1]]],
    ['a cosine of 1 with a similarity below 1', [[1, 0.9]]],
  ])('rejects %s', (_, knots) => {
    expect(() => createCalibration(knots)).toThrow(RangeError)
  })

  it('does not exceed a knot by rounding', () => {
    const { toSimilarity } = createCalibration([
      [0.01, 0.001],
      [0.03, 0.014],
    ])
    expect(toSimilarity(0.029999999999999995)).toBeLessThanOrEqual(0.014)
  })

  it('never decreases, stays between 0 and 1, and strictly increases above 0', () => {
    fc.assert(
      fc.property(anyKnots, anyCosine, anyCosine, (knots, a, b) => {
        const { toSimilarity } = createCalibration(knots)
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map(toSimilarity) as [number, number]
        expect(low).toBeGreaterThanOrEqual(0)
        expect(high).toBeLessThanOrEqual(1)
        expect(low).toBeLessThanOrEqual(high)
        expect(low < high || high === 0 || Math.abs(a - b) <= 1e-9).toBe(true)
      }),
    )
  })

  it('has an exact inverse', () => {
    fc.assert(
      fc.property(anyKnots, anyCosine, anySimilarity, (knots, cosine, similarity) => {
        const { toSimilarity, toCosine } = createCalibration(knots)
        expect(toSimilarity(toCosine(similarity))).toBeCloseTo(similarity, 9)
        const least = toCosine(toSimilarity(cosine))
        expect(toSimilarity(cosine) === 0 || Math.abs(least - cosine) < 1e-9).toBe(true)
      }),
    )
  })

  it('has the same cut-off by cosine as by similarity', () => {
    fc.assert(
      fc.property(anyKnots, anyCosine, anySimilarity, (knots, cosine, threshold) => {
        const { toSimilarity, toCosine } = createCalibration(knots)
        fc.pre(threshold === 0 || Math.abs(toSimilarity(cosine) - threshold) > 1e-9)
        expect(cosine >= toCosine(threshold)).toBe(toSimilarity(cosine) >= threshold)
      }),
    )
  })
})

it.each([
  ['intfloat/multilingual-e5-large', 0.7],
  ['E5-small-v2', 0.7],
  ['text-embedding-ada-002', 0.7],
  ['Supabase/gte-small', 0.7],
  ['BAAI/bge-small-en-v1.5', 0.45],
  ['bge-large-en', 0.6],
  ['Xenova_e5-small-v2', 0.7],
])('subtracts the similarity of unrelated texts for %s', (model, floor) => {
  const { toSimilarity, toCosine } = guessCalibration(model)
  expect(toSimilarity(floor)).toBe(0)
  expect(toSimilarity(1)).toBe(1)
  expect(toCosine(0.5)).toBeCloseTo((floor + 1) / 2)
})

it.each([
  'text-embedding-3-small',
  'sentence-transformers/all-MiniLM-L6-v2',
  'nomic-embed-text',
  'some-e5',
  'large-e5-smaller',
])('keeps the cosines of %s unchanged', (model) => {
  expect([0.1, 0.4, 0.9].map(guessCalibration(model).toSimilarity)).toEqual([0.1, 0.4, 0.9])
})
