import { describe, expect, it } from 'vitest'
import type { LabelledSet, Question } from './labelled-set.ts'
import { compareRuns, scoreRun, type Answer } from './score.ts'

const item = (id: string, parent?: string) => ({ id, group: 'g', text: id, ...(parent !== undefined && { parent }) })

const question = (id: string, relevant: string[], over: Partial<Question> = {}): Question => ({
  id,
  group: 'g',
  query: id,
  relevant,
  areParents: false,
  kind: 'name',
  searches: 'memories',
  now: undefined,
  ...over,
})

const setOf = (questions: Question[]): LabelledSet => ({
  name: 'example',
  items: ['a', 'b', 'c', 'd'].map((id) => item(id)),
  questions,
})

const answer = (query_id: string, ...ids: string[]): Answer => ({ query_id, ids })

describe('scoreRun', () => {
  it('weighs questions equally, overall and by kind', () => {
    const set = setOf([
      question('q1', ['a']),
      question('q2', ['b'], { kind: 'date' }),
      question('q3', ['c', 'd'], { kind: 'date' }),
    ])
    const { overall, kinds } = scoreRun(set, [answer('q1', 'a'), answer('q2', 'c', 'd'), answer('q3', 'c', 'a')])
    expect([overall.count, overall.metrics['recall@10']]).toEqual([3, 0.5])
    expect(kinds.map(({ kind, count, metrics }) => [kind, count, metrics['recall@10']])).toEqual([
      ['name', 1, 1],
      ['date', 2, 0.25],
    ])
  })

  it('gives a question that is missing in the run 0, and counts it', () => {
    const { overall, missing } = scoreRun(setOf([question('q1', ['a']), question('q2', ['b'])]), [answer('q1', 'a')])
    expect([overall.metrics['hit@10'], missing]).toEqual([0.5, 1])
  })

  it('leaves out questions without an answer, and reports their results separately', () => {
    const set = setOf([question('q1', ['a']), question('q2', [], { kind: 'abstention' })])
    const run = [
      { query_id: 'q1', ids: ['a', 'b'], similarity: 0.8 },
      { query_id: 'q2', ids: ['b'], similarity: null },
    ]
    const { overall, kinds, answered, abstained } = scoreRun(set, run)
    expect([overall.count, kinds.length]).toEqual([1, 1])
    expect(answered).toEqual({ count: 1, results: 2, precision: 0.5, similarity: 0.8 })
    expect(abstained).toEqual({ count: 1, results: 1, precision: 0, similarity: 0 })
  })

  it('scores conversations by the first turn that was found, if conversations are relevant', () => {
    const items = [item('a1', 'a'), item('a2', 'a'), item('b1', 'b'), item('c1', 'c'), item('alone')]
    const set = { name: 'example', items, questions: [question('q1', ['b', 'alone'], { areParents: true })] }
    // As conversations: a, b, alone.
    const { overall } = scoreRun(set, [answer('q1', 'a1', 'a2', 'b1', 'alone')])
    expect([overall.metrics.mrr, overall.metrics['recall@5']]).toEqual([0.5, 1])
    expect(overall.metrics['ndcg@10']).toBeCloseTo((1 / Math.log2(3) + 1 / 2) / (1 + 1 / Math.log2(3)))
  })

  it('rejects a question answered twice, and unknown ids', () => {
    const set = setOf([question('q1', ['a'])])
    expect(() => scoreRun(set, [answer('q1', 'a'), answer('q1', 'b')])).toThrow('q1 twice')
    expect(() => scoreRun(set, [answer('q1', 'z')])).toThrow('id z')
  })
})

describe('compareRuns', () => {
  const ids = Array.from({ length: 40 }, (_, i) => `q${i}`)
  const set = setOf(ids.map((id) => question(id, ['a'])))
  const right = scoreRun(
    set,
    ids.map((id) => answer(id, 'a')),
  )
  /** Wrong on every fourth question. */
  const threeQuarters = scoreRun(
    set,
    ids.map((id, i) => answer(id, i % 4 === 0 ? 'b' : 'a')),
  )

  it('returns the mean difference with a confidence interval, and the number of questions that differ', () => {
    const { difference, low, high, better, worse } = compareRuns(right, threeQuarters, 'recall@10')
    expect([difference, better, worse]).toEqual([0.25, 10, 0])
    // The mean of 40 draws with a quarter of ones has a standard error of 0.068: about 1.96 of them each way.
    expect(low).toBeGreaterThan(0.07)
    expect(low).toBeLessThan(0.17)
    expect(high).toBeGreaterThan(0.33)
    expect(high).toBeLessThan(0.43)
  })

  it('changes its sign with the order, and is the same each time', () => {
    const forth = compareRuns(right, threeQuarters, 'mrr')
    const back = compareRuns(threeQuarters, right, 'mrr')
    expect([back.difference, back.better, back.worse]).toEqual([-forth.difference, forth.worse, forth.better])
    expect(compareRuns(right, threeQuarters, 'mrr')).toEqual(forth)
  })

  it('finds no difference between a run and itself', () => {
    expect(compareRuns(right, right, 'ndcg@10')).toEqual({ difference: 0, low: 0, high: 0, better: 0, worse: 0 })
  })

  it('rejects runs of other questions', () => {
    const other = scoreRun(setOf([question('else', ['a'])]), [])
    expect(() => compareRuns(right, other, 'mrr')).toThrow('does not know')
  })
})
