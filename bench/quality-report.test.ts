import { describe, expect, it } from 'vitest'
import { scoreRun } from '../packages/server/test/search-quality/score.ts'
import { describeComparison, describeScore, shortfalls } from './quality-report.ts'

const question = { group: 'g', query: 'x', areParents: false, searches: 'memories' as const, now: undefined }
const set = {
  name: 'example',
  items: ['a', 'b', 'c'].map((id) => ({ id, group: 'g', text: id })),
  questions: [
    { ...question, id: 'q1', kind: 'name', relevant: ['a'] },
    { ...question, id: 'q2', kind: 'date', relevant: ['b', 'c'] },
    { ...question, id: 'q3', kind: 'none', relevant: [] },
  ],
}
const good = scoreRun(set, [
  { query_id: 'q1', ids: ['a'], similarity: 0.5 },
  { query_id: 'q2', ids: ['a', 'b'], similarity: 0.7 },
  { query_id: 'q3', ids: ['c'], similarity: 0.3 },
])
const poor = scoreRun(set, [{ query_id: 'q1', ids: ['a'] }])

describe('describeScore', () => {
  it('prints a row per kind, and reports questions without an answer', () => {
    const lines = describeScore(good, 50).split('\n')
    expect(lines[0]).toMatch(/^\| kind +\| +n \| recall@1 \| recall@5 \| recall@10 \| recall@50 \| hit@10 /)
    expect(lines[2]).toMatch(/^\| all +\| 2 \| +50\.0 \| +75\.0 \| +75\.0 \| +75\.0 \| +100\.0 \| +50\.0 /)
    expect(lines.slice(3, 5).map((line) => line.split(' ')[1])).toEqual(['name', 'date'])
    expect(lines.slice(6)).toEqual([
      'Results per question: 1.5, 66.7 % of them relevant; greatest similarity 0.60 on average.',
      '',
      'Questions without an answer: 1; 1.0 results, greatest similarity 0.30 on average.',
    ])
  })

  it('leaves out recall beyond the requested depth, and says what the run is missing', () => {
    const text = describeScore(poor, 10)
    expect(text).not.toContain('recall@50')
    expect(text).toContain('which count as 0: 1.')
  })
})

describe('describeComparison', () => {
  it('shows differences in points', () => {
    expect(describeComparison(good, poor)).toMatch(/\| recall@10 +\| +25\.00 \| +0\.00 to 50\.00 \| +1 \| +0 \|/)
  })
})

describe('shortfalls', () => {
  it('lists only figures below their minimum', () => {
    expect(shortfalls(good, { 'recall@10': 75.1, 'hit@10': 100 })).toEqual([
      'recall@10 is 75.0, under the minimum of 75.1',
    ])
  })
})
