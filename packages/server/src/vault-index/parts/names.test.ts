import { describe, expect, it } from 'vitest'
import { keyText } from '../index-record.ts'
import { NameIndex, type Bearing } from './names.ts'
import { slotsWithText } from '../duplicates.ts'
import { changeOf, idOf, wordTags, throughSnapshot } from '../testing/records.ts'
import { VaultIndex } from '../vault-index.ts'

const sequence = (...terms: number[]): Uint32Array => Uint32Array.from(terms)
const identity = sequence(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)

function namesIn(names: NameIndex, terms: Uint32Array): number[][] {
  const found: number[][] = []
  for (let at = 0; at < terms.length; at++) names.eachNameAt(terms, at, (name) => found.push([...names.termsOf(name)]))
  return found
}

function bearersOf(names: NameIndex, name: number, bearing: Bearing): number[] {
  const slots: number[] = []
  names.eachBearer(name, bearing, (slot) => slots.push(slot) > 0)
  return slots
}

describe('NameIndex', () => {
  it('finds each name where its words are adjacent, and knows which records have it', () => {
    const names = new NameIndex()
    names.add(0, [sequence(1, 2), sequence(5)], identity, 'entity')
    names.add(2, [sequence(1, 2)], identity, 'title')
    names.add(3, [sequence(1, 2), sequence(1)], identity, 'entity')
    expect(namesIn(names, sequence(2, 1, 2, 9))).toEqual([[1], [1, 2]])
    expect(namesIn(names, sequence(1, 9, 2))).toEqual([[1]])
    expect(namesIn(names, sequence(7, 5))).toEqual([[5]])
    expect([bearersOf(names, 0, 'entity'), bearersOf(names, 0, 'title')]).toEqual([[3, 0], [2]])
  })

  it('looks no further than the end of the text', () => {
    const names = new NameIndex()
    names.add(0, [sequence(1, 2, 3, 4, 5, 6)], identity, 'title')
    expect(namesIn(names, sequence(1, 2, 3, 4, 5))).toEqual([])
    expect(namesIn(new NameIndex(), sequence(1))).toEqual([])
  })
})

describe('an index with names, titles and tags of texts', () => {
  function makeIndex(): VaultIndex {
    const index = new VaultIndex()
    index.apply([
      changeOf({ id: 1, text: 'gone', header: { title: 'Old Bridge', entities: ['Gone'] } }),
      changeOf({ id: 2, text: 'a', exactText: 'Same text', header: { title: 'Old Bridge', tags: ['river'] } }),
      changeOf({ id: 3, text: 'b', exactText: 'same  text', header: { entities: ['Ann Lee', 'Old bridges'] } }),
      changeOf({ id: 4, text: 'c', exactText: 'other' }),
      { itemId: idOf(1), removed: true },
    ])
    return index
  }

  function expectWhole(index: VaultIndex): void {
    const { names, words, titles } = index.parts
    const slot = index.slotOf(idOf(3))
    const start = words.startOf(slot)
    const header = words.sequence
      .slice(start, start + (words.headerLengths[slot] ?? 0))
      .map((word) => word & 0x7fffffff)
    const found = new Set<number>()
    for (let at = 0; at < header.length; at++) names.eachNameAt(header, at, (name) => found.add(name))
    const live = (bearing: Bearing) =>
      [...found].map((name) =>
        bearersOf(names, name, bearing)
          .filter((bearer) => index.alive[bearer] === 1)
          .map((bearer) => index.itemIdOf(bearer)),
      )
    expect([live('title'), live('entity')]).toEqual([
      [[], [idOf(2)]],
      [[idOf(3)], [idOf(3)]],
    ])
    expect(titles.of(index.slotOf(idOf(2)))).toEqual({ tagWords: 1, titleWords: 2 })
    expect(titles.of(index.slotOf(idOf(3)))).toEqual({ tagWords: 0, titleWords: 0 })
    const same = slotsWithText(index, keyText('SAME TEXT', wordTags)).map((each) => index.itemIdOf(each))
    expect(same).toEqual([idOf(2), idOf(3)])
  }

  it('keeps them after packing and in a snapshot, without dead records', () => {
    const index = makeIndex()
    expectWhole(index)
    const copy = throughSnapshot(index)
    expectWhole(index)
    expectWhole(copy)
    expect([index.parts.names.count, copy.parts.names.count]).toEqual([2, 2])
    copy.apply([changeOf({ id: 5, text: 'd', exactText: 'same text', header: { title: 'New' } })])
    expect(slotsWithText(copy, keyText('same text', wordTags))).toHaveLength(3)
    expect(copy.parts.titles.of(copy.slotOf(idOf(5)))).toEqual({ tagWords: 0, titleWords: 1 })
  })

  it('finds no record by a text that was removed or changed', () => {
    const index = makeIndex()
    index.apply([changeOf({ id: 2, text: 'a', exactText: 'new' }), { itemId: idOf(3), removed: true }])
    expect(slotsWithText(index, keyText('same text', wordTags))).toEqual([])
    expect(slotsWithText(index, keyText('', wordTags))).toEqual([])
  })
})
