import { describe, expect, it } from 'vitest'
import { meanOf, measureList } from './metrics.ts'

const places = (count: number) => Array.from({ length: count }, (_, i) => `other-${i}`)

describe('measureList', () => {
  it('measures a worked example: two of three relevant, at ranks 2 and 5', () => {
    const ids = ['x', 'a', 'y', 'z', 'b', ...places(5), 'c']
    const measured = measureList(ids, new Set(['a', 'b', 'c']))
    // Gains 1/log2(3) = 0.63093 and 1/log2(6) = 0.38685; the best order gains 1 + 0.63093 + 0.5.
    expect(measured['ndcg@10']).toBeCloseTo(1.01778 / 2.13093, 4)
    expect(measured['recall@1']).toBe(0)
    expect(measured['recall@5']).toBeCloseTo(2 / 3)
    expect(measured['recall@10']).toBeCloseTo(2 / 3)
    expect(measured['recall@50']).toBe(1)
    expect([measured['hit@10'], measured['all@10'], measured.mrr]).toEqual([1, 0, 0.5])
  })

  it('returns 1 throughout if the relevant ids come first, in any order', () => {
    const { 'recall@1': firstShare, ...rest } = measureList(['b', 'a', 'x'], new Set(['a', 'b']))
    expect(firstShare).toBe(0.5)
    expect(new Set(Object.values(rest))).toEqual(new Set([1]))
  })

  it('returns 0 throughout if nothing relevant was found, and for an empty list', () => {
    for (const ids of [['x', 'y'], []])
      expect(new Set(Object.values(measureList(ids, new Set(['a']))))).toEqual(new Set([0]))
  })

  it('stops at rank ten', () => {
    const tenth = measureList([...places(9), 'a'], new Set(['a']))
    const eleventh = measureList([...places(10), 'a'], new Set(['a']))
    expect([tenth['hit@10'], tenth['ndcg@10']]).toEqual([1, 1 / Math.log2(11)])
    expect([eleventh['hit@10'], eleventh['ndcg@10'], eleventh['recall@50']]).toEqual([0, 0, 1])
    expect(eleventh.mrr).toBeCloseTo(1 / 11)
  })

  it('treats ten relevant ids at the top as the best order if there are more', () => {
    const relevant = places(12)
    const measured = measureList(relevant, new Set(relevant))
    expect([measured['ndcg@10'], measured['all@10']]).toEqual([1, 0])
    expect(measured['recall@10']).toBeCloseTo(10 / 12)
  })

  it('counts a repeated id once, at its first rank', () => {
    expect(measureList(['x', 'x', 'a', 'a', 'b'], new Set(['a', 'b']))).toEqual(
      measureList(['x', 'a', 'b'], new Set(['a', 'b'])),
    )
  })

  it('rejects a question without relevant ids', () => {
    expect(() => measureList(['a'], new Set())).toThrow(RangeError)
  })
})

describe('meanOf', () => {
  it('returns the mean of each metric', () => {
    const all = [measureList(['a', 'x'], new Set(['a'])), measureList(['x', 'a'], new Set(['a']))]
    expect(meanOf(all)).toMatchObject({ 'recall@1': 0.5, 'recall@5': 1, mrr: 0.75 })
  })
})
