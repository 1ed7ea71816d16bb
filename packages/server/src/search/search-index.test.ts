import { beforeEach, describe, expect, it } from 'vitest'
import { plainCosines } from '../embeddings/calibration.ts'
import { keyQuery } from '../vault-index/query.ts'
import { keyEntities } from '../vault-index/live.ts'
import { type TestRecord, changeOf, idOf, testDay, wordTags } from '../vault-index/testing/records.ts'
import { VaultIndex } from '../vault-index/vault-index.ts'
import { type SearchRequest, rankSlots, searchIndex } from './search-index.ts'

const dayMs = 86_400_000
const asOf = testDay + 30 * dayMs
const filter = { kinds: ['memory'], includeArchived: false, asOf, isRetrospective: true }
let index: VaultIndex

beforeEach(() => {
  index = new VaultIndex()
})

const store = (...records: TestRecord[]): void => index.apply(records.map(changeOf))

function requestOf(query: string, changes: Partial<SearchRequest> = {}): SearchRequest {
  const base = {
    filter,
    legs: 'all' as const,
    threshold: 0.3,
    decayHalfLifeDays: 30,
    diversity: 0,
    hasExceptions: true,
    preferNewer: true,
    topK: 10,
  }
  return { ...base, query: keyQuery(query, asOf, wordTags), ...changes }
}

const search = (query: string, changes?: Partial<SearchRequest>) => searchIndex(index, requestOf(query, changes))

const idsOf = (query: string, changes?: Partial<SearchRequest>): string[] =>
  search(query, changes).hits.map(({ itemId }) => itemId)

describe('searchIndex by words', () => {
  it('finds other forms of a word, and ranks texts with more shared words first', () => {
    store({ id: 1, text: 'the cat sleeps' }, { id: 2, text: 'a dog runs in parks' }, { id: 3, text: 'dogs bark' })
    expect(idsOf('running dogs')).toEqual([idOf(2), idOf(3)])
  })

  it('finds nothing for punctuation, stop words and unknown words, and in an empty index', () => {
    expect(idsOf('dogs')).toEqual([])
    store({ id: 1, text: 'the dog' })
    for (const query of ['', '?!', 'who is it', 'zebra']) expect(idsOf(query)).toEqual([])
  })

  it('finds a text of stop words by the same stop words', () => {
    store({ id: 1, text: 'to be or not to be' }, { id: 2, text: 'the dog' })
    expect(idsOf('to be')).toEqual([idOf(1)])
  })

  it('prefers the exact identifier to its parts', () => {
    store({ id: 1, text: 'the name of a user' }, { id: 2, text: 'set user_name first' })
    expect(idsOf('user_name')[0]).toBe(idOf(2))
  })

  it('prefers adjacent words', () => {
    store({ id: 1, text: 'paint red doors and a house' }, { id: 2, text: 'paint doors and a red house' })
    expect(idsOf('red house')[0]).toBe(idOf(2))
  })

  it('finds a record by its speaker, day, title, tags and entities', () => {
    const header = { speaker: 'Ann', occurredAt: testDay, entities: ['Acme'], title: 'Plans', tags: ['urgent'] }
    store({ id: 1, text: 'hello', header }, { id: 2, text: 'hello' })
    for (const query of ['ann', 'acme', 'plans', 'urgent']) expect(idsOf(query)).toEqual([idOf(1)])
    expect(idsOf('monday')).toHaveLength(2)
  })

  it('prefers the day that the question names', () => {
    const on = (id: number, day: number): TestRecord => ({
      id,
      text: 'went swimming',
      header: { occurredAt: testDay + day * dayMs },
    })
    store(on(1, 0), on(2, 28), on(3, 10))
    expect(idsOf('when did we go swimming yesterday')[0]).toBe(idOf(2))
  })

  it('finds the answer that follows the question in the same run', () => {
    const turn = (id: number, text: string, agentRunId: string): TestRecord => ({
      id,
      text,
      agentRunId,
      header: { occurredAt: testDay + id },
    })
    store(turn(1, 'which restaurant in Lisbon?', 'a'), turn(2, 'the one by the river', 'a'), turn(3, 'tax forms', 'b'))
    expect(idsOf('restaurant Lisbon')).toEqual([idOf(1), idOf(2)])
  })

  it('does not find a fact by other texts of its run', () => {
    const fact = (id: number, text: string): TestRecord => ({ id, text, agentRunId: 'a', facts: { type: 'fact' } })
    store(fact(1, 'invoices go to the printer'), fact(2, 'tokens rotate every ninety days'))
    expect(idsOf('invoice printer')).toEqual([idOf(1)])
  })

  it('prefers a fact if what was learned next to it fits, too, in its own run and not from a turn', () => {
    const learned = (id: number, text: string, agentRunId: string, type = 'fact'): TestRecord => ({
      id,
      text,
      agentRunId,
      header: { occurredAt: testDay },
      facts: { type },
    })
    store(
      learned(1, 'the printer stands on the second floor', 'a'),
      learned(2, 'Ann moved to Lisbon', 'a'),
      learned(3, 'the printer takes small sheets', 'b'),
      learned(4, 'the invoices are blue', 'b'),
      learned(5, 'the printer is never off', 'c'),
      learned(6, 'the invoices are late', 'c', 'episodic'),
    )
    const printers = new Set([1, 3, 5].map(idOf))
    expect(idsOf('invoice printer').find((id) => printers.has(id))).toBe(idOf(3))
  })

  it('accepts a question of 10,000 characters', () => {
    store({ id: 1, text: 'needle' })
    const words = Array.from({ length: 1000 }, (_, i) => `word${i}`)
    expect(idsOf(`needle ${words.join(' ')}`)).toEqual([idOf(1)])
  })
})

describe('searchIndex by vectors', () => {
  const vectors = (...chunks: number[][]) => ({ modelId: 'm', chunks })
  const vector = { modelId: 'm', values: [1, 0, 0], calibration: plainCosines }

  it('finds by the best chunk, with its cosine, and leaves out what is below the threshold', () => {
    store(
      { id: 1, text: 'x', vectors: vectors([0, 1, 0], [0.6, 0.8, 0]) },
      { id: 2, text: 'y', vectors: vectors([0.2, 0.98, 0]) },
    )
    const { hits, semanticMatchCount } = search('unknown', { vector })
    expect(hits.map(({ itemId }) => itemId)).toEqual([idOf(1)])
    expect(hits[0]?.similarity).toBeCloseTo(0.6, 2)
    expect(hits[0]?.chunk).toBe(1)
    expect(hits[0]?.matchSources).toEqual(['semantic'])
    expect(semanticMatchCount).toBe(1)
  })

  const unlike = (id: number, cosine: number): TestRecord => ({
    id,
    text: `x${id}`,
    vectors: vectors([cosine, Math.sqrt(1 - cosine ** 2), 0]),
  })

  it('keeps the nearest fifth whatever its similarity, if no record has half of what the words say', () => {
    store(...Array.from({ length: 11 }, (_, i) => unlike(i, 0.1 + i / 100)))
    const { hits, semanticMatchCount } = search('unknown words', { vector })
    expect(hits.map(({ itemId }) => itemId)).toEqual([10, 9].map(idOf))
    expect(hits[0]?.similarity).toBeCloseTo(0.2, 2)
    expect(hits[0]?.matchSources).toEqual(['semantic'])
    expect(semanticMatchCount).toBe(2)
    expect(idsOf('x5', { vector })).toEqual([idOf(5)])
  })

  it('keeps ten at most', () => {
    store(...Array.from({ length: 90 }, (_, i) => unlike(i, 0.1 + i / 1000)))
    expect(idsOf('unknown', { vector, topK: 50 })).toHaveLength(10)
  })

  it('keeps none of four, and none if the threshold has no exceptions', () => {
    store(...[1, 2, 3, 4].map((id) => unlike(id, 0.2)))
    expect(idsOf('unknown', { vector })).toEqual([])
    store(unlike(5, 0.2))
    expect(idsOf('unknown', { vector })).toHaveLength(1)
    expect(idsOf('unknown', { vector, hasExceptions: false })).toEqual([])
  })

  it('never drops a hit by words for its cosine', () => {
    store({ id: 1, text: 'dog', vectors: vectors([0, 0, 1]) })
    expect(search('dog', { vector, threshold: 0.9 }).hits[0]).toMatchObject({
      similarity: null,
      matchSources: ['blind'],
    })
  })

  it('compares no vectors of different models or lengths', () => {
    store(
      { id: 1, text: 'x', vectors: { modelId: 'other', chunks: [[1, 0, 0]] } },
      { id: 2, text: 'x', vectors: vectors([1, 0]) },
    )
    expect(idsOf('unknown', { vector })).toEqual([])
  })
})

describe('searchIndex among statements about one subject', () => {
  const said = (id: number, text: string, day: number, type = 'fact'): TestRecord => ({
    id,
    text,
    header: { occurredAt: testDay + day * dayMs },
    facts: { type },
  })
  const old = said(1, 'the bins are emptied on Friday', 0)
  const recent = said(2, 'the bins are emptied on Wednesday from June on', 9)

  it('prefers the newest, and keeps the others', () => {
    store(old, recent)
    expect(idsOf('when are the bins emptied')).toEqual([2, 1].map(idOf))
    expect(idsOf('when are the bins emptied', { preferNewer: false })).toEqual([1, 2].map(idOf))
    const [, last] = rankSlots(index, requestOf('when are the bins emptied')).candidates
    expect([last?.outdated, last?.newer]).toEqual([0.8, index.slotOf(idOf(2))])
  })

  it('answers for the time of the question', () => {
    store(old, recent)
    const before = { ...filter, asOf: testDay + 5 * dayMs }
    expect(idsOf('when are the bins emptied', { filter: before })).toEqual([idOf(1)])
  })

  it('does not prefer a newer one that was archived', () => {
    const archived = { ...recent, facts: { type: 'fact', archived: true } }
    store(old, archived)
    const all = { ...filter, includeArchived: true }
    expect(idsOf('when are the bins emptied', { filter: all })).toEqual([1, 2].map(idOf))
    store({ ...old, facts: { type: 'fact', archived: true } }, archived)
    expect(idsOf('when are the bins emptied', { filter: all })).toEqual([2, 1].map(idOf))
  })

  it('keeps an old one before a new one that fits less, is about something else, or is an event', () => {
    store(old, said(3, 'the council reads the meter in March', 9))
    expect(idsOf('when are the bins emptied by the council')[0]).toBe(idOf(1))
    store(said(4, 'bins', 9, 'episodic'), said(5, 'bins emptied', 8, 'episodic'))
    const events = rankSlots(index, requestOf('bins emptied')).candidates
    expect(events.map(({ outdated }) => outdated)).toEqual(events.map(() => 1))
  })
})

describe('searchIndex by vectors alone', () => {
  const vector = { modelId: 'm', values: [1, 0, 0], calibration: plainCosines }
  const near = { modelId: 'm', chunks: [[1, 0, 0]] }
  const far = { modelId: 'm', chunks: [[0, 1, 0]] }

  it('finds records without vectors by words, ranked lower the more others have vectors', () => {
    const old = { modelId: 'old', chunks: [[1, 0, 0]] }
    store(...Array.from({ length: 8 }, (_, id) => ({ id, text: `dog ${id}`, vectors: old })))
    expect(idsOf('dog', { legs: 'semantic', vector })).toHaveLength(8)
    store(...Array.from({ length: 7 }, (_, id) => ({ id, text: `dog ${id}`, vectors: id < 3 ? near : far })))
    expect(idsOf('dog', { legs: 'semantic', vector })).toEqual([2, 1, 0, 7].map(idOf))
  })

  it('leaves out words and links, but uses words if the question has no vector', () => {
    store({ id: 1, text: 'dog', vectors: far }, { id: 2, text: 'cat', vectors: near }, { id: 3, text: 'bird' })
    index.addLinks([{ sourceId: idOf(2), targetId: idOf(3), relationType: 'references' }])
    expect(idsOf('dog', { legs: 'semantic', vector })).toEqual([idOf(2)])
    expect(idsOf('dog', { legs: 'semantic' })).toEqual([idOf(1)])
  })
})

describe('searchIndex by links', () => {
  const link = (source: number, target: number) => ({
    sourceId: idOf(source),
    targetId: idOf(target),
    relationType: 'references',
  })

  it('adds records linked with the hits, in either direction, after them', () => {
    store({ id: 1, text: 'dog' }, { id: 2, text: 'far' }, { id: 3, text: 'away' }, { id: 4, text: 'apart' })
    index.addLinks([link(1, 2), link(3, 1), link(2, 4)])
    const { hits, graphExpansionCount } = search('dog')
    expect(hits.map(({ itemId }) => itemId).toSorted()).toEqual([idOf(1), idOf(2), idOf(3)])
    expect(hits[0]).toMatchObject({ itemId: idOf(1), matchSources: ['blind'] })
    expect(hits[1]).toMatchObject({ matchSources: ['graph'] })
    expect(graphExpansionCount).toBe(2)
  })

  it('follows links through changes of the records and until they are removed', () => {
    index.addLinks([link(1, 2)])
    store({ id: 1, text: 'dog' }, { id: 2, text: 'far' })
    store({ id: 2, text: 'changed' })
    expect(idsOf('dog')).toContain(idOf(2))
    index.removeLinks([link(1, 2)])
    expect(idsOf('dog')).not.toContain(idOf(2))
  })
})

describe('searchIndex and live records', () => {
  it('leaves out archived, expired, superseded and later records', () => {
    store(
      { id: 1, text: 'dog', facts: { archived: true } },
      { id: 2, text: 'dog', facts: { expiresAt: asOf } },
      { id: 3, text: 'dog', facts: { supersededAt: asOf } },
      { id: 4, text: 'dog', facts: { occurredAt: asOf + dayMs } },
      { id: 5, text: 'dog', facts: { expiresAt: asOf + 1, supersededAt: asOf + 1, occurredAt: asOf } },
    )
    expect(idsOf('dog')).toEqual([idOf(5)])
    const all = idsOf('dog', { filter: { ...filter, includeArchived: true } })
    expect(all.toSorted()).toEqual([idOf(1), idOf(2), idOf(5)])
  })

  it('includes the whole day for dates set by callers, and compares server dates to the millisecond', () => {
    const later = asOf + 1
    store(
      { id: 1, text: 'dog', facts: { occurredAt: later, createdAt: later + dayMs } },
      { id: 2, text: 'dog', facts: { occurredAt: later, createdAt: later } },
    )
    expect(idsOf('dog')).toEqual([idOf(1)])
  })

  it('leaves out what a successor with a future date supersedes, in a search as of now', () => {
    store({ id: 1, text: 'dog', facts: { supersededAt: asOf + dayMs } })
    expect(idsOf('dog', { filter: { ...filter, isRetrospective: false } })).toEqual([])
    expect(idsOf('dog')).toEqual([idOf(1)])
  })

  it('finds future records if there is no date limit', () => {
    store({ id: 1, text: 'dog', facts: { occurredAt: asOf + 1 } })
    expect(idsOf('dog', { filter: { ...filter, isRetrospective: false } })).toEqual([idOf(1)])
  })

  it('filters by kind, type, importance, entity and time of storing', () => {
    store(
      {
        id: 1,
        text: 'dog',
        facts: { type: 'skill', importance: 5, createdAt: 1000 },
        header: { entities: ['Rex the First'] },
      },
      { id: 2, text: 'dog', facts: { importance: 2, createdAt: 2000 } },
      { id: 3, text: 'dog', facts: { kind: 'note', type: 'note' } },
    )
    const found = (changes: Partial<SearchRequest['filter']>): string[] =>
      idsOf('dog', { filter: { ...filter, ...changes } }).toSorted()
    expect(found({})).toEqual([idOf(1), idOf(2)])
    expect(found({ kinds: ['note'] })).toEqual([idOf(3)])
    expect(found({ types: ['skill'] })).toEqual([idOf(1)])
    expect(found({ minImportance: 3 })).toEqual([idOf(1)])
    expect(found({ entityTags: keyEntities(['rex  THE first', 'nobody'], wordTags) })).toEqual([idOf(1)])
    expect(found({ entityTags: keyEntities(['rex'], wordTags) })).toEqual([])
    expect(found({ itemIds: new Set([idOf(2), idOf(9)]) })).toEqual([idOf(2)])
    expect(found({ itemIds: new Set() })).toEqual([])
    expect(found({ createdAfter: 1500 })).toEqual([idOf(2)])
    expect(found({ createdBefore: 1500 })).toEqual([idOf(1)])
  })
})

describe('searchIndex and the order', () => {
  it('orders otherwise equal records by age, except facts', () => {
    const at = (id: number, type: string, days: number): TestRecord => {
      return { id, text: `dog ${id}`, facts: { type, occurredAt: asOf - days * dayMs } }
    }
    store(at(1, 'episodic', 1), at(2, 'episodic', 300), at(3, 'fact', 300))
    const { candidates } = rankSlots(index, requestOf('dog'))
    const decays = new Map(candidates.map(({ slot, decay }) => [index.itemIdOf(slot), decay]))
    expect(decays.get(idOf(3))).toBe(1)
    expect(decays.get(idOf(1)) ?? 0).toBeGreaterThan(decays.get(idOf(2)) ?? 1)
  })

  it('puts copies after other hits if diversity is set', () => {
    const copy = 'dog walks on the beach every morning'
    store({ id: 1, text: 'dog likes trains' }, { id: 2, text: copy }, { id: 3, text: copy }, { id: 4, text: 'dog' })
    const query = 'dog walks beach morning'
    expect(idsOf(query, { topK: 2 }).toSorted()).toEqual([idOf(2), idOf(3)])
    expect(idsOf(query, { topK: 2, diversity: 1 }).filter((id) => id === idOf(2) || id === idOf(3))).toHaveLength(1)
  })

  it('returns at most topK, in order of descending scores', () => {
    store(...Array.from({ length: 40 }, (_, id) => ({ id, text: `dog ${'word '.repeat(id)}` })))
    const { hits, blindIndexMatchCount } = search('dog', { topK: 7 })
    expect(hits).toHaveLength(7)
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a))
    expect(blindIndexMatchCount).toBe(40)
  })
})
