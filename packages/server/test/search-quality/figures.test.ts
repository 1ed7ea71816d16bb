import { describe, expect, it } from 'vitest'
import { changesBetween, lossesOf, readFigures, type Figures } from './figures.ts'

const withHybrid = (change: Figures['kinds']['hybrid']): Figures => {
  const figures = readFigures()
  return { ...figures, kinds: { ...figures.kinds, hybrid: { ...figures.kinds.hybrid, ...change } } }
}
const figuresWith = (recall10: number, ndcg10: number) =>
  withHybrid({ date: { questions: 20, recall10, hit10: 100, ndcg10 } })

describe('changesBetween', () => {
  it('ignores changes of up to one point', () => {
    expect(changesBetween(figuresWith(80, 60), figuresWith(79, 61))).toEqual([])
  })

  it('lists larger decreases and increases', () => {
    expect(changesBetween(figuresWith(80, 60), figuresWith(78.9, 61.1))).toEqual([
      'hybrid, date: recall10 was 80, is 78.9',
      'hybrid, date: ndcg10 was 60, is 61.1',
    ])
  })

  it('lists a kind of question that was added or removed', () => {
    const other = withHybrid({ new: { questions: 1, recall10: 100, hit10: 100, ndcg10: 50 } })
    expect(changesBetween(readFigures(), other)).toHaveLength(3)
    expect(changesBetween(other, readFigures())).toHaveLength(3)
  })

  it('lists changed similarities and numbers of results, including for questions without an answer', () => {
    const { habits, ...figures } = readFigures()
    const similarity = 0.99
    const changed = { ...figures, habits: { ...habits, abstained: { ...habits.abstained, similarity } } }
    expect(changesBetween(readFigures(), changed)).toEqual([
      `abstained: similarity was ${habits.abstained.similarity}, is 0.99`,
    ])
    const results = habits.answered.results - 0.4
    const fewer = { ...figures, habits: { ...habits, answered: { ...habits.answered, results } } }
    expect(changesBetween(readFigures(), fewer)).toHaveLength(1)
  })
})

describe('lossesOf', () => {
  it('lists a kind of question that one leg alone answers better by more than a point', () => {
    const figures = (recall10: number, ndcg10: number) => ({ date: { questions: 20, recall10, hit10: 100, ndcg10 } })
    const kinds = {
      hybrid: figures(80, 60),
      words: figures(81, 62),
      semantic: figures(90, 50),
      bm25: figures(100, 100),
    }
    expect(lossesOf({ ...readFigures(), kinds })).toEqual(['date: ndcg10 of words', 'date: recall10 of semantic'])
  })
})
