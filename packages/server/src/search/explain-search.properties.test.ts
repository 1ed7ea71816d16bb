import {
  type Arbitrary,
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  option,
  property,
  record,
  tuple,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCalibration } from '../embeddings/calibration.ts'
import { filterTest, type SearchFilter } from '../vault-index/live.ts'
import { keyQuery } from '../vault-index/query.ts'
import { type TestRecord, changeOf, idOf, testDay, wordTags } from '../vault-index/testing/records.ts'
import { VaultIndex } from '../vault-index/vault-index.ts'
import { outdatedFactor } from './outdated.ts'
import { decayFactor, importanceFactor, standingOf } from './rank.ts'
import { explainSearch } from './explain-search.ts'
import { searchIndex, type SearchRequest } from './search-index.ts'

/** Random small vaults with some of everything: few words, runs, links, dates, speakers, dead and filtered records. */

const dayMs = 86_400_000
const asOf = testDay + 40 * dayMs
const words = ['harbour', 'boat', 'red', 'storm', 'Ann', 'Bob', 'May', 'yesterday', 'rope']
const calibration = createCalibration([[0.3, 0.4]])

const text = array(constantFrom(...words), { maxLength: 8 }).map((picked) => picked.join(' '))
const chance = (part: number) => integer({ min: 0, max: 99 }).map((number) => number < part * 100)
const unit = integer({ min: 0, max: 31 }).map((step) => [Math.cos(step / 10), Math.sin(step / 10)])

const anyRecord = record({
  text,
  speaker: constantFrom(undefined, 'Ann', 'Bob'),
  // Known for a long time, or only in the future; nothing in between, so that the time of the search can be moved a little.
  day: oneof(integer({ min: 0, max: 36 }), constant(45)),
  run: constantFrom(undefined, 'r1', 'r2'),
  chunks: array(unit, { maxLength: 2 }),
  type: constantFrom('fact', 'episodic'),
  importance: integer({ min: 1, max: 5 }),
  archived: chance(0.1),
  expired: chance(0.1),
  superseded: chance(0.1),
})

const vault = record({
  records: array(anyRecord, { maxLength: 40 }),
  links: array(tuple(nat(40), nat(40)), { maxLength: 8 }),
})

const request = record({
  query: text,
  angle: option(unit, { nil: undefined }),
  legs: constantFrom('all' as const, 'semantic' as const),
  threshold: constantFrom(0, 0.4, 0.9),
  diversity: constantFrom(0, 0.7, 1),
  hasExceptions: boolean(),
  preferNewer: boolean(),
  topK: integer({ min: 1, max: 12 }),
  types: option(constant(['fact']), { nil: undefined }),
  includeArchived: boolean(),
  isRetrospective: boolean(),
})

type Vault = typeof vault extends Arbitrary<infer T> ? T : never
type Asked = typeof request extends Arbitrary<infer T> ? T : never

function indexOf({ records, links }: Vault): VaultIndex {
  const index = new VaultIndex()
  const changes = records.map((given, id): TestRecord => {
    const { chunks, run, speaker, day, type, importance, archived, expired, superseded } = given
    return {
      id,
      text: given.text,
      header: { occurredAt: testDay + day * dayMs, ...(speaker && { speaker }) },
      ...(run && { agentRunId: run }),
      ...(chunks.length > 0 && { vectors: { modelId: 'm', chunks } }),
      facts: {
        type,
        importance,
        archived,
        expiresAt: expired ? asOf - dayMs : null,
        supersededAt: superseded && day < 45 ? asOf - dayMs : null,
      },
    }
  })
  index.apply(changes.map(changeOf))
  index.addLinks(
    links
      .filter(([from, to]) => from !== to)
      .map(([from, to]) => ({ sourceId: idOf(from), targetId: idOf(to), relationType: 'references' })),
  )
  return index
}

function requestOf({ query, angle, types, includeArchived, isRetrospective, ...rest }: Asked): SearchRequest {
  return {
    ...rest,
    query: keyQuery(query, asOf, wordTags),
    ...(angle && { vector: { modelId: 'm', values: angle, calibration } }),
    filter: { kinds: ['memory'], ...(types && { types }), includeArchived, asOf, isRetrospective },
    decayHalfLifeDays: 30,
  }
}

const everyId = Array.from({ length: 42 }, (_, id) => idOf(id))

const check = (hold: (index: VaultIndex, asked: SearchRequest) => void) =>
  assert(
    property(vault, request, (given, asked) => hold(indexOf(given), requestOf(asked))),
    { numRuns: 300 },
  )

/** The filter without the parts that a reason names. */
function lifted({ types, ...filter }: SearchFilter, reason: string): SearchFilter {
  const isLate = reason.includes('later than')
  return {
    ...filter,
    ...(types && !reason.includes('type') && { types }),
    ...(/archived|expired/.test(reason) && { includeArchived: true }),
    // A search as of an earlier day finds what was superseded later; a search as of now finds records with future dates.
    ...(reason.includes('superseded') && { isRetrospective: true, asOf: asOf - 2 * dayMs }),
    ...(isLate && { isRetrospective: false }),
  }
}

describe('the explanation of any search', () => {
  it('describes exactly the answer of the search', () => {
    check((index, asked) => {
      expect(explainSearch(index, asked, everyId).result).toEqual(searchIndex(index, asked))
    })
  })

  it('has figures that multiply to the exact score of each hit', () => {
    check((index, asked) => {
      const { result, explanation } = explainSearch(index, asked, [])
      const { semanticWeight, blindWeight, semanticBest, blindBest } = explanation
      const partOf = (weight: number, best: number | null, rank: number | null, score: number | null) =>
        rank === null || score === null || best === null ? 0 : weight * standingOf(rank, best > 0 ? score / best : 1)
      result.hits.forEach(({ itemId, score }, at) => {
        const item = explanation.details.get(itemId)
        if (item === undefined) throw new Error(`${itemId} is not explained`)
        expect((item.semanticPart + item.blindPart + item.lent) * item.decay * item.importance * item.outdated).toBe(
          score,
        )
        expect(item.outdated).toBe(item.newerId === null ? 1 : outdatedFactor)
        expect([item.score, item.position]).toEqual([score, at + 1])
        expect(item.semanticPart).toBe(partOf(semanticWeight, semanticBest, item.semanticRank, item.semanticScore))
        expect(item.blindPart).toBe(partOf(blindWeight, blindBest, item.blindRank, item.blindScore))
        expect(item.lent > 0).toBe(item.graphRank !== null)
        const { facts } = index.parts
        const slot = index.slotOf(itemId)
        const ageMs = asOf - (facts.arrays.occurredAt[slot] ?? 0)
        expect(item.decay).toBe(decayFactor(facts.typeOf(slot), ageMs, 30))
        expect(item.importance).toBe(importanceFactor(facts.arrays.importances[slot] ?? 0))
      })
    })
  })

  it('covers each record once: as a hit or as left out, never both', () => {
    check((index, asked) => {
      const { result, explanation } = explainSearch(index, asked, everyId)
      const hits = result.hits.map(({ itemId }) => itemId)
      const lost = explanation.asked.map(({ itemId }) => itemId)
      expect([...hits, ...lost].toSorted()).toEqual(everyId)
      expect(explanation.lost.filter(({ itemId }) => hits.includes(itemId))).toEqual([])
      const stages = new Map(explanation.asked.map(({ itemId, stage }) => [itemId, stage]))
      for (const { itemId, stage } of explanation.lost) expect(stages.get(itemId)).toBe(stage)
    })
  })

  it('names the actual reason for leaving out a record: without it the record is found', () => {
    check((index, asked) => {
      const found = (changes: Partial<SearchRequest>) =>
        new Set(searchIndex(index, { ...asked, ...changes }).hits.map(({ itemId }) => itemId))
      // Only one condition is lifted; a record below the threshold may still rank too low.
      const without = {
        topK: found({ topK: 50 }),
        diversity: found({ diversity: 0 }),
        threshold: found({ threshold: 0, topK: 50 }),
      }
      for (const { itemId, stage, reason } of explainSearch(index, asked, []).explanation.lost) {
        const reached = stage in without ? without[stage as keyof typeof without] : undefined
        const isFreed = reached?.has(itemId) ?? filterTest(index, lifted(asked.filter, reason))(index.slotOf(itemId))
        expect([itemId, stage, isFreed]).toEqual([itemId, stage, true])
      }
    })
  })
})
