import {
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  float,
  integer,
  nat,
  oneof,
  property,
  record,
  tuple,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainCosines } from '../embeddings/calibration.ts'
import { keyQuery } from '../vault-index/query.ts'
import { changeOf, idOf, testDay, wordTags } from '../vault-index/testing/records.ts'
import { VaultIndex } from '../vault-index/vault-index.ts'
import { rankSlots, searchIndex, type SearchRequest } from './search-index.ts'

/** What no parameter and no write may change about the order of an answer. */

const words = ['harbour', 'boat', 'red', 'storm', 'rope', 'pier', 'tide', 'gull']
const text = array(constantFrom(...words), { maxLength: 8 }).map((picked) => picked.join(' '))
const unit = integer({ min: 0, max: 31 }).map((step) => [Math.cos(step / 10), Math.sin(step / 10)])
const vault = record({
  records: array(record({ text, day: nat(5), unit, type: constantFrom('fact', 'episodic') }), { maxLength: 40 }),
  links: array(tuple(nat(40), nat(40)), { maxLength: 12 }),
})
const asked = record({
  query: text,
  unit,
  diversity: oneof(constant(0), float({ min: 0, max: 1, noNaN: true })),
  withVector: boolean(),
})

type Given = typeof vault extends { generate: (...rest: never[]) => { value: infer T } } ? T : never

const changesOf = ({ records }: Given) =>
  records.map(({ text: content, day, unit: angle, type }, id) =>
    changeOf({
      id,
      text: content,
      header: { occurredAt: testDay + day * 86_400_000 },
      vectors: { modelId: 'm', chunks: [angle] },
      facts: { type },
    }),
  )

function indexOf(given: Given): VaultIndex {
  const index = new VaultIndex()
  index.apply(changesOf(given))
  index.addLinks(
    given.links
      .filter(([from, to]) => from !== to)
      .map(([from, to]) => ({ sourceId: idOf(from), targetId: idOf(to), relationType: 'references' })),
  )
  return index
}

const requestOf = (
  {
    query,
    unit: values,
    withVector,
    diversity,
  }: typeof asked extends { generate: (...rest: never[]) => { value: infer T } } ? T : never,
  changes: Partial<SearchRequest> = {},
): SearchRequest => ({
  query: keyQuery(query, testDay, wordTags),
  ...(withVector && { vector: { modelId: 'm', values, calibration: plainCosines } }),
  filter: { kinds: ['memory'], includeArchived: false, asOf: testDay, isRetrospective: false },
  legs: 'all',
  threshold: 0.4,
  decayHalfLifeDays: 30,
  diversity,
  hasExceptions: true,
  preferNewer: true,
  topK: 50,
  ...changes,
})

const idsOf = (index: VaultIndex, request: SearchRequest): string[] =>
  searchIndex(index, request).hits.map(({ itemId }) => itemId)

describe('the order of any answer', () => {
  it('with fewer hits is the start of the one with more', () => {
    assert(
      property(vault, asked, integer({ min: 1, max: 20 }), (given, question, topK) => {
        const index = indexOf(given)
        const all = idsOf(index, requestOf(question))
        expect(idsOf(index, requestOf(question, { topK }))).toEqual(all.slice(0, topK))
      }),
      { numRuns: 300 },
    )
  })

  it('is the same under any threshold for hits above it, except for scores from links to other records', () => {
    assert(
      property(vault, asked, constantFrom(0.2, 0.4, 0.8), ({ records }, question, threshold) => {
        const index = indexOf({ records, links: [] })
        const kept = rankSlots(index, requestOf(question, { threshold })).candidates
        const slots = new Set(kept.map(({ slot }) => slot))
        const all = rankSlots(index, requestOf(question, { threshold: 0 })).candidates
        expect(kept).toEqual(all.filter(({ slot }) => slots.has(slot)))
      }),
      { numRuns: 300 },
    )
  })

  it('increases no score under a threshold, whatever links contribute', () => {
    assert(
      property(vault, asked, constantFrom(0.2, 0.4, 0.8), (given, question, threshold) => {
        const index = indexOf(given)
        const scores = (least: number) =>
          new Map(
            rankSlots(index, requestOf(question, { threshold: least })).candidates.map((each) => [each.slot, each.rrf]),
          )
        const [strict, free] = [scores(threshold), scores(0)]
        for (const [slot, rrf] of strict) expect(rrf).toBeLessThanOrEqual(free.get(slot) ?? 0)
      }),
      { numRuns: 300 },
    )
  })

  it('does not change when a record is written again', () => {
    assert(
      property(vault, asked, array(nat(40), { maxLength: 10 }), (given, question, again) => {
        const index = indexOf(given)
        const before = searchIndex(index, requestOf(question)).hits
        const changes = changesOf(given)
        index.apply(again.flatMap((at) => changes[at] ?? []))
        expect(searchIndex(index, requestOf(question)).hits).toEqual(before)
      }),
      { numRuns: 300 },
    )
  })
})
