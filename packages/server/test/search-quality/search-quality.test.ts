import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { changesBetween, docsPath, describeFigures, figuresOf, lossesOf, readFigures } from './figures.ts'
import { measureSuite, readSuite, type Method, type SuiteScores } from './measure-suite.ts'
import type { MetricName } from './metrics.ts'

/**
 * What a question's date, speaker or foreign words say exactly, vectors blur; where it asks for what somebody likes, words distract; and
 * what lies under the threshold is left out, which vectors alone are measured without. Take out what is mended; put in nothing that the
 * rest of the table does not pay for.
 */
const knownLosses = [
  'preference: ndcg10 of semantic',
  'date: recall10 of words',
  'date: ndcg10 of words',
  'code: recall10 of semantic',
  'paraphrase: recall10 of semantic',
  'paraphrase: ndcg10 of semantic',
  'speaker: recall10 of words',
  'speaker: ndcg10 of words',
  'cross-language: ndcg10 of words',
]

/** The gate of search quality: `node packages/server/test/search-quality/show-figures.ts` prints what it looks at. */
describe("search, by the suite's own questions", () => {
  let scores: SuiteScores
  beforeAll(async () => {
    scores = await measureSuite(readSuite())
  }, 120_000)

  const overall = (method: Method, metric: MetricName) => scores[method].overall.metrics[metric]
  const ofKind = (method: Method, kind: string, metric: MetricName) =>
    scores[method].kinds.find((row) => row.kind === kind)?.metrics[metric]

  it.each(['recall@10', 'ndcg@10'] as const)('has a %s with all legs no worse than with any one', (metric) => {
    expect(overall('hybrid', metric)).toBeGreaterThanOrEqual(overall('words', metric))
    expect(overall('hybrid', metric)).toBeGreaterThanOrEqual(overall('semantic', metric))
  })

  it('loses to one leg alone only where that is known', () => {
    expect(lossesOf(figuresOf(scores)).toSorted()).toEqual(knownLosses.toSorted())
  })

  it.each(['recall@10', 'ndcg@10'] as const)('has a %s of paraphrases by vectors alone that BM25 has not', (metric) => {
    // Without a stem in common words find an answer only beside others that the question has.
    expect(ofKind('bm25', 'paraphrase', metric)).toBeLessThan(0.05)
    expect(ofKind('semantic', 'paraphrase', metric)).toBeGreaterThan(0.4)
  })

  it('moved by no more than a little since its figures were last written, with show-figures.ts --write', () => {
    expect(changesBetween(readFigures(), figuresOf(scores))).toEqual([])
  })

  it('is told in the documentation as its figures are', () => {
    expect(readFileSync(docsPath, 'utf8')).toContain(describeFigures(readFigures()))
  })
})
