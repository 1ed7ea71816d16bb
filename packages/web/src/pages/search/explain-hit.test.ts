import { expect, it } from 'vitest'
import { describeMove } from './describe-rank.ts'
import { explainDrop, explainHit, howFound } from './explain-hit.ts'
import type { Answer, Details, Dropped, Found } from './lab-state.ts'

const details: Details = {
  semanticRank: 2,
  blindRank: 1,
  graphRank: null,
  semanticScore: 0.6,
  blindScore: 3,
  cosine: 0.5,
  dateFactor: 1,
  speakerFactor: 1,
  semanticPart: 0.3,
  blindPart: 0.7,
  lent: 0,
  rrf: 1,
  decay: 1.05,
  importance: 1,
  outdated: 1,
  newerId: null,
  place: 3,
  mmr: 0.4,
  position: 1,
}
const hit = (over: Partial<Details> = {}) =>
  ({
    id: 'a',
    score: 1,
    similarity: 0.61,
    relevance: null,
    matchSources: [],
    scoreDetails: { ...details, ...over },
  }) as Answer['hits'][number]
const explanation = { semanticLeg: { ran: true, reason: null }, threshold: 0.4 } as Answer['explanation']

it('has a sentence for each way of searching, with the strongest first', () => {
  expect(explainHit(hit(), explanation)).toEqual([
    'Found mainly by its words (70% of the score).',
    'Meaning: the 2nd closest to the query (similarity 0.61).',
    'Words: the best match for the words of the query.',
    'Links: none from the best matches.',
    'Age and importance raise the score by 5%.',
    'Diversity: moved up from place 3, because it says something that better matches don’t.',
  ])
})

it('says first that the reranker decided, and not that diversity or a newer memory did', () => {
  const reranked = { ...explanation, reranker: { ran: true, reason: null } }
  const sentences = explainHit({ ...hit({ newerId: 'b', outdated: 0.8 }), relevance: 0.876 }, reranked)
  expect(sentences[0]).toBe('The reranker rated it 0.88, which decides its place.')
  expect(sentences.join(' ')).not.toMatch(/Diversity|Newer/)
  expect(describeMove(details, reranked)).toBe('moved up by the reranker (was #3)')
  expect(describeMove(details, explanation)).toBe('moved up for diversity (was #3)')
})

it('says that a newer memory about the same subject ranks before it', () => {
  expect(explainHit(hit({ newerId: 'b', outdated: 0.8 }), explanation)).toContain(
    'Newer: a newer memory about the same subject also fits, so this one ranks lower.',
  )
})

it('says how a result below the threshold was found', () => {
  const found = (over: Partial<Details>) => howFound({ ...details, ...over })
  expect([found({}), found({ blindRank: null, graphRank: 2 }), found({ blindRank: null, graphRank: null })]).toEqual([
    'found by its words',
    'found by its links',
    'one of the closest in meaning',
  ])
})

it('leaves out what changed nothing, and says if meaning was not compared', () => {
  const sentences = explainHit(hit({ semanticRank: null, semanticPart: 0, blindPart: 1, decay: 1, place: 1 }), {
    ...explanation,
    semanticLeg: { ran: false, reason: 'none' },
  })
  expect(sentences).toEqual([
    'Found by its words only.',
    'Meaning: not compared, because no embedding model was available.',
    'Words: the best match for the words of the query.',
    'Links: none from the best matches.',
  ])
})

it('names the better result of a dropped record by its title', () => {
  const dropped = {
    id: 'b',
    stage: 'diversity',
    reason: 'x',
    resemblesId: 'a',
    similarity: null,
    scoreDetails: details,
  } as Dropped
  const records = new Map([['a', { title: 'Fares of bicycles', preview: '' } as Found]])
  expect(explainDrop(dropped, [hit()], records)).toBe(
    'Ranked #3 by score, but it says nearly the same as “Fares of bicycles”, which is result 1. To include both, lower the diversity.',
  )
  expect(explainDrop({ ...dropped, stage: 'topK' }, [], records)).toBe('X')
})

it('says that a match of words lets a result pass the threshold', () => {
  const [, meaning] = explainHit({ ...hit({ semanticRank: null }), similarity: 0.31 }, explanation)
  expect(meaning).toBe(
    'Meaning: similarity 0.31 is below the threshold of 0.40, which doesn’t apply to results found by words or links.',
  )
  const dropped = { stage: 'threshold', reason: 'similarity 0.329 is under 0.400' } as Dropped
  expect(explainDrop(dropped, [], new Map())).toBe(
    'Similarity 0.329 is below the threshold of 0.400, and neither words nor links of the query lead to it.',
  )
})

it('shows times as the reader writes them', () => {
  const dropped = { stage: 'superseded', reason: 'superseded at 2026-11-18T16:54:20.038Z' } as Dropped
  expect(explainDrop(dropped, [], new Map())).toMatch(/^Superseded at .*2026.*\d:\d\d/)
  expect(explainDrop(dropped, [], new Map())).not.toContain('T16')
})

it('says how far the score of a record is from the last result', () => {
  const dropped = { stage: 'topK', reason: 'place 11 by score: 0.307; the last hit has 0.312' } as Dropped
  expect(explainDrop(dropped, [], new Map())).toBe('Rank 11, score 0.307. The last result has 0.312.')
})
