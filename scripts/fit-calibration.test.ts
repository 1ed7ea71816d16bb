import { describe, expect, it } from 'vitest'
import type { EmbeddingProvider } from '../packages/server/src/embeddings/provider.ts'
import { createStaticProvider } from '../packages/server/src/embeddings/static-model.ts'
import { fitKnots, ratePairs, readPairs, type RatedPair } from './fit-calibration.ts'

const hundred = Array.from({ length: 101 }, (_, i) => i / 100)

describe('readPairs', () => {
  it('reads one pair per line and skips blank lines', () => {
    expect(readPairs('a cat\tthe cat\t4.5\r\n\none\ttwo\t0\n')).toEqual([
      { texts: ['a cat', 'the cat'], rating: 4.5 },
      { texts: ['one', 'two'], rating: 0 },
    ])
  })

  it.each(['one\ttwo', 'one\t \t3', 'one\ttwo\tmuch', 'one two 3'])('reports the line number of %j', (line) => {
    expect(() => readPairs(`a\tb\t1\n${line}`)).toThrow('line 2')
  })
})

describe('ratePairs', () => {
  it('returns cosines and scaled ratings, without texts that the model does not know', async () => {
    const pairs = readPairs(
      'The harbour is north.\tThe harbour is north.\t5\nharbour\tquarterly tax\t1\n你好\tharbour\t1',
    )
    const points = await ratePairs(createStaticProvider(), pairs)
    expect(points).toEqual([
      { x: expect.closeTo(1, 5), y: 1 },
      { x: expect.any(Number), y: 0 },
    ])
    expect(points[1]?.x).toBeLessThan(0.3)
  })

  it('accepts more pairs than a call accepts arguments', async () => {
    const known: Pick<EmbeddingProvider, 'embed'> = {
      embed: async (texts) => ({ vectors: texts.map(() => Float32Array.of(1)), tokens: 0 }),
    }
    const pairs = Array.from({ length: 200_000 }, (_, rating): RatedPair => ({ texts: ['a', 'b'], rating }))
    expect(await ratePairs(known, pairs)).toHaveLength(pairs.length)
  })

  it.each(['', 'a\tb\t3', 'a\tb\t3\nc\td\t3'])('rejects %j', async (file) => {
    await expect(ratePairs(createStaticProvider(), readPairs(file))).rejects.toThrow('too few pairs')
  })
})

describe('fitKnots', () => {
  it('finds the cosines of the landmarks', () => {
    expect(fitKnots(hundred.map((part) => ({ x: 0.7 + 0.3 * part, y: part })))).toEqual([
      [0.736, 0.4],
      [0.76, 0.5],
      [0.94, 0.88],
      [0.97, 0.95],
    ])
  })

  it('leaves out landmarks outside the ratings', () => {
    const points = hundred.map((part) => ({ x: part, y: 0.15 + 0.7 * part }))
    expect(fitKnots(points).map(([, similarity]) => similarity)).toEqual([0.5, 0.88])
  })

  it.each([
    ['nearly one cosine', [0.4999, 0.5, 0.5001]],
    ['one cosine', [0.5, 0.5, 0.5]],
    ['one pair', [0.5]],
  ])('rejects pairs with %s as too few', (_, cosines) => {
    const points = cosines.map((x, at) => ({ x, y: at === 0 ? 0 : 1 }))
    expect(() => fitKnots(points)).toThrow('too few pairs')
  })
})
