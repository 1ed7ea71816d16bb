import { describe, expect, it } from 'vitest'
import { cutText, EmbeddingError, maxDims, toUnitVectors } from './provider.ts'

const failureOf = (run: () => unknown): EmbeddingError => {
  try {
    run()
  } catch (error) {
    if (error instanceof EmbeddingError) return error
    throw error
  }
  throw new Error('Nothing was thrown')
}

describe('toUnitVectors', () => {
  it('scales each vector to length 1 and keeps its direction', () => {
    const [a, b] = toUnitVectors(
      [
        [3, 4],
        [0, -0.001],
      ],
      { count: 2, dims: undefined },
    )
    expect(Array.from(a ?? [])).toEqual([Math.fround(0.6), Math.fround(0.8)])
    expect(Array.from(b ?? [])).toEqual([0, -1])
  })

  it.each<[string, number[][], { count: number; dims: number | undefined }, string]>([
    ['too few vectors', [[1, 0]], { count: 2, dims: 2 }, 'wrong_count'],
    [
      'too many vectors',
      [
        [1, 0],
        [0, 1],
      ],
      { count: 1, dims: 2 },
      'wrong_count',
    ],
    ['a different length than before', [[1, 0, 0]], { count: 1, dims: 2 }, 'wrong_dims'],
    ['different lengths', [[1, 0], [1]], { count: 2, dims: undefined }, 'mixed_dims'],
    ['no numbers at all', [[]], { count: 1, dims: undefined }, 'mixed_dims'],
    [
      'more numbers than the index stores',
      [Array<number>(maxDims + 1).fill(1)],
      { count: 1, dims: undefined },
      'too_many_dims',
    ],
    ['NaN among others', [[1], [Number.NaN]], { count: 2, dims: 1 }, 'not_finite'],
    ['zeros among others', [[1], [0]], { count: 2, dims: 1 }, 'zero_vector'],
  ])('rejects %s', (_, rows, expected, code) => {
    expect(failureOf(() => toUnitVectors(rows, expected))).toMatchObject({ reason: 'bad_response', code })
  })

  it.each<[string, number[], string]>([
    ['NaN', [1, Number.NaN], 'not_finite'],
    ['infinity', [1, -Infinity], 'not_finite'],
    ['a number beyond 32 bits', [1, 1e39], 'not_finite'],
    ['only zeros', [0, -0], 'zero_vector'],
    ['numbers that vanish in 32 bits', [1e-60, 0], 'zero_vector'],
  ])('treats %s for a single text as a rejection of that text', (_, row, code) => {
    expect(failureOf(() => toUnitVectors([row], { count: 1, dims: 2 }))).toMatchObject({ reason: 'refused', code })
  })

  it('accepts the longest vector that the index stores', () => {
    expect(toUnitVectors([Array<number>(maxDims).fill(1)], { count: 1, dims: undefined })[0]).toHaveLength(maxDims)
  })
})

describe('cutText', () => {
  it('keeps a text that fits unchanged', () => {
    expect(cutText('naïve 🚢', 8)).toBe('naïve 🚢')
  })

  it('drops a character that only half fits', () => {
    expect(cutText('ab🚢', 3)).toBe('ab')
    expect(cutText('ab🚢', 4)).toBe('ab🚢')
  })

  it('replaces split characters that were already in the text', () => {
    expect(cutText('a\uD83Db\uDEA2', 10)).toBe('a\uFFFDb\uFFFD')
  })
})
