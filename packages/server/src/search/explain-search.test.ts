import { beforeEach, describe, expect, it } from 'vitest'
import { createCalibration } from '../embeddings/calibration.ts'
import { keyQuery } from '../vault-index/query.ts'
import { type TestRecord, changeOf, idOf, testDay, wordTags } from '../vault-index/testing/records.ts'
import { VaultIndex } from '../vault-index/vault-index.ts'
import { explainSearch } from './explain-search.ts'
import type { SearchRequest } from './search-index.ts'

const dayMs = 86_400_000
const asOf = testDay + 30 * dayMs
const filter = { kinds: ['memory'], includeArchived: false, asOf, isRetrospective: false }
const calibration = createCalibration([[0.3, 0.4]])
const vector = { modelId: 'm', values: [1, 0, 0], calibration }
const near = (cosine: number) => ({ modelId: 'm', chunks: [[cosine, Math.sqrt(1 - cosine * cosine), 0]] })
let index: VaultIndex

beforeEach(() => {
  index = new VaultIndex()
})

const store = (...records: TestRecord[]): void => index.apply(records.map(changeOf))

function explain(query: string, changes: Partial<SearchRequest> = {}, askedIds: string[] = []) {
  const base = {
    filter,
    legs: 'all' as const,
    threshold: 0.4,
    decayHalfLifeDays: 30,
    diversity: 0,
    hasExceptions: true,
    preferNewer: true,
    topK: 10,
  }
  return explainSearch(index, { ...base, query: keyQuery(query, asOf, wordTags), ...changes }, askedIds)
}

/** Stage and reason of each record that was left out, by its number. */
function lossesOf(query: string, changes?: Partial<SearchRequest>): Record<string, string[]> {
  const { lost } = explain(query, changes).explanation
  return Object.fromEntries(lost.map(({ itemId, stage, reason }) => [Number(itemId.slice(-4)), [stage, reason]]))
}

describe('explainSearch about a hit', () => {
  it('returns its ranks, scores and factors', () => {
    const header = { speaker: 'Ann', occurredAt: asOf - dayMs }
    store(
      { id: 1, text: 'swimming in the lake', header, facts: { type: 'episodic', importance: 5 }, vectors: near(0.9) },
      { id: 2, text: 'swimming at home', vectors: near(0.5) },
    )
    const { result, explanation } = explain('did Ann go swimming yesterday?', { vector })
    expect(result.hits.map(({ itemId }) => itemId)).toEqual([idOf(1), idOf(2)])
    const details = explanation.details.get(idOf(1))
    expect(details).toMatchObject({
      place: 1,
      position: 1,
      semanticRank: 1,
      blindRank: 1,
      graphRank: null,
      lent: 0,
      dateFactor: 2,
      speakerFactor: 1.25,
      importance: 1.04,
      mmr: null,
    })
    expect(details?.cosine).toBeCloseTo(0.9, 2)
    expect(details?.similarity).toBeCloseTo(calibration.toSimilarity(0.9), 2)
    expect(details?.decay).toBeCloseTo(0.9 + 0.1 * 2 ** (-1 / 30), 5)
    expect(explanation.details.get(idOf(2))).toMatchObject({ dateFactor: 1, speakerFactor: 1, decay: 1, importance: 1 })
  })

  it('shows the score that links contribute', () => {
    store({ id: 1, text: 'harbour' }, { id: 2, text: 'something else' })
    index.addLinks([{ sourceId: idOf(1), targetId: idOf(2), relationType: 'references' }])
    const { explanation } = explain('harbour')
    expect(explanation.details.get(idOf(2))).toMatchObject({ graphRank: 1, blindRank: null, blindPart: 0, position: 2 })
    const { lent, rrf } = explanation.details.get(idOf(2)) ?? {}
    expect(lent).toBeGreaterThan(0)
    expect(lent).toBe(rrf)
  })
})

describe('explainSearch about the question', () => {
  it("shows which words count, their weights, and which are speakers' names", () => {
    store(
      { id: 1, text: 'the harbour', header: { speaker: 'Ann' } },
      { id: 2, text: 'boats' },
      { id: 3, text: 'boats' },
    )
    const { words, coverage } = explain('Ann harbour boats zebra').explanation
    expect(words.map(({ isCounted, isSpeaker }) => [isCounted, isSpeaker])).toEqual([
      [true, true],
      [true, false],
      [true, false],
      [false, false],
    ])
    const weights = words.map(({ weight }) => weight)
    expect(weights.reduce((sum, weight) => sum + weight)).toBeCloseTo(1, 10)
    expect(weights[1]).toBeGreaterThan(weights[2] ?? 1)
    expect(coverage).toBeCloseTo((weights[0] ?? 0) + (weights[1] ?? 0), 10)
  })

  it('treats no name as a speaker after the speaker’s last record is gone', () => {
    store({ id: 1, text: 'boats', header: { speaker: 'Ann' } }, { id: 2, text: 'Ann has boats' })
    const isSpeaker = () => explain('Ann').explanation.words.map((word) => word.isSpeaker)
    expect(isSpeaker()).toEqual([true])
    index.apply([{ itemId: idOf(1), removed: true }])
    expect(isSpeaker()).toEqual([false])
  })

  it('returns the weights of the legs, and the threshold as a cosine', () => {
    store({ id: 1, text: 'boats', vectors: near(0.8) })
    expect(explain('boats').explanation).toMatchObject({
      semanticWeight: 0,
      blindWeight: 1,
      thresholdCosine: undefined,
      coverage: 1,
    })
    const { semanticWeight, blindWeight, thresholdCosine } = explain('boats', { vector }).explanation
    expect(semanticWeight).toBeGreaterThan(0)
    expect(semanticWeight + blindWeight).toBe(1)
    expect(thresholdCosine).toBeCloseTo(0.3, 10)
  })
})

describe('explainSearch about records that were left out', () => {
  it('names the part of the filter that excluded a record', () => {
    const boat = (id: number, facts: TestRecord['facts']): TestRecord => ({ id, text: 'boats', facts: { ...facts } })
    store(
      boat(1, {}),
      boat(2, { archived: true }),
      boat(9, { archived: true, type: 'episodic', supersededAt: asOf - dayMs }),
      boat(3, { expiresAt: asOf - dayMs }),
      boat(4, { supersededAt: asOf - dayMs }),
      boat(5, { type: 'episodic' }),
      boat(6, { importance: 1, type: 'episodic' }),
      boat(7, { createdAt: testDay - 2 * dayMs }),
      boat(8, { kind: 'note' }),
    )
    const wanted = { ...filter, types: ['fact'], minImportance: 2, createdAfter: testDay - dayMs }
    expect(lossesOf('boats', { filter: wanted })).toEqual({
      2: ['archived', 'archived'],
      3: ['expired', 'expired at 2024-04-02T12:00:00.000Z'],
      4: ['superseded', 'superseded at 2024-04-02T12:00:00.000Z'],
      5: ['filtered', 'excluded by the filter on type'],
      6: ['filtered', 'excluded by the filter on type, importance'],
      7: ['filtered', 'excluded by the filter on time of storing'],
      9: ['archived', 'archived; superseded at 2024-04-02T12:00:00.000Z; excluded by the filter on type'],
    })
  })

  it('says if a record is from after the date of the question', () => {
    store({ id: 1, text: 'boats', header: { occurredAt: asOf + 3 * dayMs } })
    expect(lossesOf('boats', { filter: { ...filter, isRetrospective: true } })).toEqual({
      1: ['later', 'later than asOf, 2024-04-03T12:00:00.000Z'],
    })
    expect(lossesOf('boats')).toEqual({})
  })

  it('returns the figures for the threshold, the rank and the similarity', () => {
    store(
      { id: 1, text: 'red boats in the harbour' },
      { id: 2, text: 'red boats in a harbour' },
      { id: 3, text: 'a harbour and other things that are in it' },
      { id: 4, text: 'ships', vectors: near(0.2) },
    )
    expect(lossesOf('red boats harbour', { vector, topK: 2, diversity: 1 })).toEqual({
      1: ['diversity', `place 2 by score, but its likeness to ${idOf(2)} is 1.000`],
      4: ['threshold', `similarity ${calibration.toSimilarity(0.2).toFixed(3)} is under 0.400`],
    })
    const { lost } = explain('red boats harbour', { topK: 2 }).explanation
    expect(lost).toMatchObject([{ itemId: idOf(3), stage: 'topK', details: { place: 3, position: null } }])
    expect(lost[0]?.reason).toMatch(/^place 3 by score: 0\.\d{3}; the last hit has 0\.\d{3}$/)
  })

  it('is consistent with the scores if diversity preferred a hit with a lower one', () => {
    store(...[1, 2, 3, 4].map((id) => ({ id, text: 'red boats in the harbour' })), {
      id: 5,
      text: 'a harbour and other things that are in it',
    })
    const { result, explanation } = explain('red boats harbour', { topK: 2, diversity: 1 })
    const [first, second] = result.hits
    expect([first?.itemId, second?.itemId]).toEqual([idOf(4), idOf(5)])
    const reason = (place: number, score: string) =>
      `place ${place} by score: ${score}; diversity put a hit with ${second?.score.toFixed(3)} before it`
    expect(explanation.lost.map(({ resemblesId }) => resemblesId)).toEqual([idOf(4), undefined, undefined])
    expect(explanation.lost.map(({ itemId, stage, reason: given }) => [itemId, stage, given])).toEqual([
      [idOf(3), 'diversity', `place 2 by score, but its likeness to ${idOf(4)} is 1.000`],
      [idOf(2), 'topK', reason(3, '0.857')],
      [idOf(1), 'topK', reason(4, '0.813')],
    ])
  })

  it('distinguishes records that links reach beyond the first hundred from unreachable ones', () => {
    store({ id: 1, text: 'harbour' }, ...Array.from({ length: 250 }, (_, i) => ({ id: i + 2, text: `u${i}` })))
    const links = Array.from({ length: 150 }, (_, i) => ({ sourceId: idOf(1), targetId: idOf(i + 2) }))
    index.addLinks(links.map((link) => ({ ...link, relationType: 'references' })))
    const { result, explanation } = explain('harbour', { topK: 5 }, [idOf(2), idOf(200)])
    expect(result.graphExpansionCount).toBe(100)
    expect(explanation.asked.map(({ stage, reason }) => [stage, reason])).toEqual([
      ['depth', 'not among the first 100 of a leg'],
      ['unmatched', 'nothing leads to it: no words, no meaning, and no links from the best hits'],
    ])
  })

  it('covers only the best 20, and others on request', () => {
    // Long enough that each additional word counts.
    const textOf = (more: number) => `boats ${Array.from({ length: 30 + more }, (_, i) => `w${i}`).join(' ')}`
    store(...Array.from({ length: 130 }, (_, i) => ({ id: i + 1, text: textOf(i) })))
    const [best = ''] = explain('boats').result.hits.map(({ itemId }) => itemId)
    const { explanation } = explain('boats', { topK: 3 }, [idOf(130), best, idOf(999), idOf(50)])
    expect(explanation.lost).toHaveLength(20)
    expect(explanation.asked.map(({ itemId, stage }) => [itemId, stage])).toEqual([
      [idOf(130), 'depth'],
      [idOf(999), 'unknown'],
      [idOf(50), 'topK'],
    ])
  })

  it('says for a requested item if nothing leads to it', () => {
    store({ id: 1, text: 'boats' }, { id: 2, text: 'cars' })
    const { asked } = explain('boats', {}, [idOf(2)]).explanation
    expect(asked).toMatchObject([{ stage: 'unmatched', similarity: null, details: null }])
  })

  it('returns the same for deleted ids and ids that never existed', () => {
    store({ id: 1, text: 'boats' }, { id: 2, text: 'boats' })
    index.apply([{ itemId: idOf(1), removed: true }])
    const { lost, asked } = explain('boats', {}, [idOf(1), idOf(77)]).explanation
    expect(lost).toEqual([])
    const [deleted, foreign] = asked
    expect({ ...deleted, itemId: '' }).toEqual({ ...foreign, itemId: '' })
  })
})
