import { describe, expect, it } from 'vitest'
import { poolTokens, type Pooling } from './pooling.ts'

// Padding has numbers, too.
const padding = [9, 9]
const [a, b, c] = [
  [1, 2],
  [3, 4],
  [5, 7],
]

function pool(tokens: number[][], mask: number[], pooling: Exclude<Pooling, 'model'>): number[] {
  return Array.from(poolTokens({ data: Float32Array.from(tokens.flat()), dims: [1, tokens.length, 2] }, mask, pooling))
}

describe('poolTokens', () => {
  it.each<[string, number[][], number[]]>([
    ['without padding', [a, b, c], [1, 1, 1]],
    ['with padding on the right', [a, b, c, padding, padding], [1, 1, 1, 0, 0]],
    ['with padding on the left', [padding, padding, a, b, c], [0, 0, 1, 1, 1]],
  ])('uses all tokens, the first or the last, %s', (_, tokens, mask) => {
    expect(pool(tokens, mask, 'mean')).toEqual([9, 13])
    expect(pool(tokens, mask, 'first')).toEqual(a)
    expect(pool(tokens, mask, 'last')).toEqual(c)
  })

  it.each(['mean', 'first', 'last'] as const)('is zero without tokens, for %s', (pooling) => {
    expect(pool([padding], [0], pooling)).toEqual([0, 0])
  })
})
