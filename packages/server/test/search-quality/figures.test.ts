import { describe, expect, it } from 'vitest'
import { changesBetween, readFigures, type Figures } from './figures.ts'

const withHybrid = (change: Figures['kinds']['hybrid']): Figures => {
  const figures = readFigures()
  return { ...figures, kinds: { ...figures.kinds, hybrid: { ...figures.kinds.hybrid, ...change } } }
}
const figuresWith = (recall10: number, ndcg10: number) =>
  withHybrid({ date: { questions: 20, recall10, hit10: 100, ndcg10 } })

describe('changesBetween', () => {
  it('says nothing of what moved by a point at most', () => {
    expect(changesBetween(figuresWith(80, 60), figuresWith(79, 61))).toEqual([])
  })

  it('names what fell, and what rose, by more', () => {
    expect(changesBetween(figuresWith(80, 60), figuresWith(78.9, 61.1))).toEqual([
      'hybrid, date: recall10 was 80, is 78.9',
      'hybrid, date: ndcg10 was 60, is 61.1',
    ])
  })

  it('names a kind of question that came or went', () => {
    const other = withHybrid({ new: { questions: 1, recall10: 100, hit10: 100, ndcg10: 50 } })
    expect(changesBetween(readFigures(), other)).toHaveLength(2)
    expect(changesBetween(other, readFigures())).toHaveLength(2)
  })
})
