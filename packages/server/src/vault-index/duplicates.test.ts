import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atOnce } from '../core/in-pieces.ts'
import { itemsLike, likeItems, type LikeQuery } from './duplicates.ts'
import { keyEntry } from './index-record.ts'
import { changeOf, idOf, testDay, wordTags, type TestRecord } from './testing/records.ts'
import { VaultIndex } from './vault-index.ts'

const query: LikeQuery = { type: 'fact', asOf: testDay, leastJaccard: 0.85, modelId: 'm', leastCosine: 0.88 }

const entryOf = (text: string, more: Partial<Parameters<typeof keyEntry>[0]> = {}) =>
  keyEntry({ text, exactText: text, header: { occurredAt: testDay, entities: [], tags: [] }, ...more }, wordTags)

const indexOf = (...records: TestRecord[]) => {
  const index = new VaultIndex()
  index.apply(
    records.map((record) => changeOf({ ...(record.text !== undefined && { exactText: record.text }), ...record })),
  )
  return index
}

const idsLike = (index: VaultIndex, text: string) => likeItems(index, entryOf(text), query).map(({ itemId }) => itemId)

describe('likeItems', () => {
  it('returns items with the same text or nearly the same words, with their similarity', () => {
    const text = 'alpha beta gamma delta epsilon zeta eta theta iota kappa'
    const index = indexOf({ id: 1, text }, { id: 2, text: `${text} lambda` }, { id: 3, text: 'alpha beta' })
    const like = likeItems(index, entryOf(text.toUpperCase()), query)
    expect(like.toSorted((a, b) => b.jaccard - a.jaccard)).toEqual([
      { itemId: idOf(1), hasSameText: true, jaccard: 1, cosine: undefined, sharesEntity: false },
      { itemId: idOf(2), hasSameText: false, jaccard: 10 / 11, cosine: undefined, sharesEntity: false },
    ])
  })

  it('returns only live items of the type', () => {
    const text = 'alpha beta gamma'
    const index = indexOf(
      { id: 1, text, facts: { archived: true } },
      { id: 2, text, facts: { expiresAt: testDay } },
      { id: 3, text, facts: { supersededAt: testDay } },
      { id: 4, text, facts: { type: 'skill' } },
      { id: 5, text, facts: { kind: 'note' } },
      { id: 6, text },
    )
    expect(idsLike(index, text)).toEqual([idOf(6)])
    index.apply([{ itemId: idOf(6), removed: true }])
    expect(idsLike(index, text)).toEqual([])
  })

  it('matches texts without a word only if they are identical', () => {
    const index = indexOf({ id: 1, text: '!!!' }, { id: 2, text: '???' })
    expect(idsLike(index, '!!!')).toEqual([idOf(1)])
  })

  it('compares vectors of whole texts of one model', () => {
    const vectors = (modelId: string, ...chunks: number[][]) => ({ modelId, chunks })
    const index = indexOf(
      { id: 1, text: 'one', vectors: vectors('m', [1, 0]) },
      { id: 2, text: 'two', vectors: vectors('m', [1, 0], [0, 1]) },
      { id: 3, text: 'three', vectors: vectors('other', [1, 0]) },
      { id: 4, text: 'four', vectors: vectors('m', [0, 1]) },
      { id: 5, text: 'five' },
    )
    const like = (...chunks: number[][]) =>
      likeItems(index, entryOf('none', { vectors: vectors('m', ...chunks) }), query)
    expect(like([2, 0])).toMatchObject([{ itemId: idOf(1), jaccard: 0, cosine: expect.closeTo(1, 2) as number }])
    expect(like([1, 0], [1, 0])).toEqual([])
  })

  it('says whether an entity is shared', () => {
    const text = 'alpha beta gamma'
    const index = indexOf({ id: 1, text, header: { entities: ['Ann Lee'] } }, { id: 2, text })
    const header = { occurredAt: testDay, entities: ['ann  LEE', 'Bob'], tags: [] }
    const like = likeItems(index, entryOf(text, { header }), query)
    expect(new Map(like.map(({ itemId, sharesEntity }) => [itemId, sharesEntity]))).toEqual(
      new Map([
        [idOf(1), true],
        [idOf(2), false],
      ]),
    )
  })

  it('misses no similar text, whether its words are in the postings yet or not', () => {
    const word = fc.nat(14).map((number) => `word${String.fromCodePoint(97 + number)}`)
    const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '))
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 8 }),
        text,
        fc.boolean(),
        fc.double({ min: 0.3, max: 1, noNaN: true }),
        (texts, asked, isBuilt, leastJaccard) => {
          const index = indexOf(...texts.map((each, id) => ({ id, text: each })))
          if (isBuilt) atOnce(index.parts.words.invert())
          const like = likeItems(index, entryOf(asked), { ...query, leastJaccard })
          const setOf = (each: string) => new Set(each.split(' '))
          const jaccard = (each: string) => {
            const [a, b] = [setOf(each), setOf(asked)]
            const common = [...a].filter((shared) => b.has(shared)).length
            return common / (a.size + b.size - common)
          }
          const expected = texts.flatMap((each, id) =>
            jaccard(each) >= leastJaccard ? [[idOf(id), jaccard(each)]] : [],
          )
          expect(new Map(like.map((item) => [item.itemId, item.jaccard]))).toEqual(
            new Map(expected as [string, number][]),
          )
        },
      ),
      { numRuns: 500 },
    )
  })

  it('returns the same for an item as for the entry that it was created from', () => {
    const header = { occurredAt: testDay, entities: ['Ann'], tags: [] }
    const vectors = { modelId: 'm', chunks: [[1, 0]] }
    const texts = ['alpha beta gamma', 'Alpha, beta: GAMMA', 'alpha beta gamma delta', 'omega']
    const index = indexOf(...texts.map((text, id) => ({ id, text, header, vectors })))
    texts.forEach((text, id) => {
      const others = likeItems(index, entryOf(text, { header, vectors }), query).filter(
        ({ itemId }) => itemId !== idOf(id),
      )
      expect([text, itemsLike(index, idOf(id), query)]).toEqual([text, others])
      expect(others).toHaveLength(3)
    })
    expect(itemsLike(index, idOf(99), query)).toEqual([])
  })

  it('returns a few of many', () => {
    const index = indexOf(...Array.from({ length: 100 }, (_, id) => ({ id, text: 'alpha beta gamma' })))
    expect(idsLike(index, 'alpha beta gamma').length).toBeLessThanOrEqual(16)
  })
})
