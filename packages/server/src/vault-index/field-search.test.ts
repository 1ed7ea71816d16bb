import { describe, expect, it } from 'vitest'
import { atOnce } from '../core/in-pieces.ts'
import { fields, searchFields, type Field } from './field-search.ts'
import { keyQuery } from './query.ts'
import { changeOf, idOf, testDay, wordTags } from './testing/records.ts'
import { VaultIndex } from './vault-index.ts'

const note = (id: number, title: string, tags: string[], text: string) =>
  changeOf({ id, text, header: { title, tags }, facts: { kind: 'note', type: 'note' } })

const notes = [
  note(1, 'Boats', ['sea'], 'All about anchors and sails.'),
  note(2, 'Anchors', ['boats'], 'Heavy things.'),
  note(3, 'Harbours', ['anchors', 'boats'], 'Places to stay.'),
  note(4, 'Trains', [], 'No word of the sea, but anchors, anchors and anchors.'),
  note(5, 'Cats', [], 'Monday is no day for a cat.'),
]

function indexOf(changes = notes): VaultIndex {
  const index = new VaultIndex()
  index.apply(changes)
  return index
}

function find(index: VaultIndex, question: string, page: { within?: Field[]; limit?: number; offset?: number } = {}) {
  const query = keyQuery(question, testDay, wordTags)
  return searchFields(index, query, () => true, { within: [...fields], limit: 10, offset: 0, ...page })
}

const idsOf = (...found: Parameters<typeof find>) => find(...found).hits.map(({ itemId }) => itemId)

describe('searchFields', () => {
  it('ranks a word in the title before one in the tags, and that before the content', () => {
    const { hits, total } = find(indexOf(), 'anchor')
    expect(hits.map(({ itemId, matchedIn }) => [itemId, ...matchedIn])).toEqual([
      [idOf(2), 'title'],
      [idOf(3), 'tags'],
      [idOf(4), 'content'],
      [idOf(1), 'content'],
    ])
    expect(total).toBe(4)
  })

  it('adds up the weights of a question’s words', () => {
    expect(find(indexOf(), 'anchors of boats').hits[0]).toMatchObject({ itemId: idOf(2), matchedIn: ['title', 'tags'] })
  })

  it('searches the requested fields', () => {
    const index = indexOf()
    expect(idsOf(index, 'anchors', { within: ['title'] })).toEqual([idOf(2)])
    expect(idsOf(index, 'anchors boats', { within: ['tags'] })).toEqual([idOf(3), idOf(2)])
    expect(find(index, 'boats sea', { within: ['content'] })).toMatchObject({ total: 1 })
  })

  it('does not match the date of a note as one of its words', () => {
    expect(idsOf(indexOf(), 'monday')).toEqual([idOf(5)])
    expect(idsOf(indexOf(), 'march 2024')).toEqual([])
  })

  it('counts the 32 rarest words of a longer question', () => {
    const words = Array.from({ length: 40 }, (_, i) => `rare${'abcdefghij'[i % 10]}${'klmn'[Math.floor(i / 10)]}`)
    const index = indexOf([...words.map((word, i) => note(i, 'x', [], `${word} common`)), note(99, 'x', [], 'common')])
    expect(find(index, `common ${words.join(' ')}`)).toMatchObject({ total: 32 })
    expect(find(index, 'common')).toMatchObject({ total: 41 })
  })

  it('skips the most common words of a question if many thousand notes contain each', () => {
    const words = Array.from({ length: 32 }, (_, i) => `w${'abcdefgh'[i % 8]}${'klmn'[Math.floor(i / 8)]}`)
    const text = words.join(' ')
    const index = indexOf([
      ...Array.from({ length: 10_000 }, (_, i) => note(i, 'x', [], text)),
      note(10_001, words[31] ?? '', [], ''),
    ])
    expect(find(index, text)).toMatchObject({ total: 10_000 })
    expect(find(index, words[31] ?? '')).toMatchObject({ total: 10_001 })
  })

  it('returns a page of all matches', () => {
    const many = Array.from({ length: 30 }, (_, i) => note(i, `Title ${i}`, [], 'needle'))
    const index = indexOf(many)
    const all = idsOf(index, 'needle', { limit: 100 })
    expect(new Set(all).size).toBe(30)
    expect(find(index, 'needle', { limit: 7, offset: 20 })).toMatchObject({ total: 30 })
    expect(idsOf(index, 'needle', { limit: 7, offset: 20 })).toEqual(all.slice(20, 27))
    expect(idsOf(index, 'needle', { limit: 7, offset: 200 })).toEqual([])
  })

  it('finds the same in built postings and in the newest slots, also after a change', () => {
    const changed = [...notes, note(1, 'Boats', [], 'Only sails now.')]
    const built = indexOf(changed)
    atOnce(built.parts.words.invert())
    const alive = (index: VaultIndex) => (slot: number) => index.alive[slot] === 1
    const search = (index: VaultIndex) =>
      searchFields(index, keyQuery('anchors sea boats', testDay, wordTags), alive(index), {
        within: [...fields],
        limit: 10,
        offset: 0,
      })
    expect(search(built)).toEqual(search(indexOf(changed)))
    expect(search(built).total).toBe(4)
  })

  it('finds nothing for unknown words, and for none', () => {
    for (const question of ['zebra', '', '?!']) expect(find(indexOf(), question)).toEqual({ hits: [], total: 0 })
  })
})
