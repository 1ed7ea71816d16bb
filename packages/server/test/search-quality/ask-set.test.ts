import { describe, expect, it } from 'vitest'
import { bySemanticRank } from './ask-set.ts'

const foundAt = (ranks: readonly (number | null)[]) => ({
  memories: ranks.map((semanticRank) => ({
    memoryId: `m${semanticRank}`,
    similarity: 0.5,
    scoreDetails: { semanticRank },
  })),
})
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

describe('bySemanticRank', () => {
  it('orders results only by their rank in the semantic list', () => {
    const ids = bySemanticRank(foundAt([3, null, 1, 2]), 2).map(({ id }) => id)
    expect(ids).toEqual(['m1', 'm2'])
  })

  it('includes those that were dropped from the hits', () => {
    const dropped = [
      { id: 'late', similarity: 0.4, scoreDetails: { semanticRank: 2 } },
      { id: 'no', similarity: null, scoreDetails: null },
    ]
    const ids = bySemanticRank({ ...foundAt([1, 3]), explanation: { dropped } }, 10).map(({ id }) => id)
    expect(ids).toEqual(['m1', 'late', 'm3'])
  })

  it.each([
    ['one of the first ten is missing', [1, 2, 4, 5]],
    ['the first is', [2, 3]],
    ['the tenth may be, because only ten were requested', [...upTo(9), ...Array<null>(41).fill(null)]],
  ])('throws if %s', (_, ranks) => {
    expect(() => bySemanticRank(foundAt(ranks), 10)).toThrow('is not among the seventy best')
  })

  it('lets its caller count such questions', () => {
    let gaps = 0
    const ids = bySemanticRank(foundAt([1, 3]), 10, () => void gaps++).map(({ id }) => id)
    expect([gaps, ids]).toEqual([1, ['m1', 'm3']])
  })

  it('accepts gaps after the tenth rank, and short lists', () => {
    expect(bySemanticRank(foundAt([...upTo(10), 14]), 50)).toHaveLength(11)
    expect(bySemanticRank(foundAt([1, 2, null]), 50)).toHaveLength(2)
  })
})
