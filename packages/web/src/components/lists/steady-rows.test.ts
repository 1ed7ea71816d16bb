import { describe, expect, it } from 'vitest'
import { keepSteady } from './steady-rows.tsx'

const idOf = (row: string) => row[0] ?? ''
const rowsOf = (text: string) => text.split(' ').filter((row) => row !== '')
const update = (shown: string, fresh: string, gone = '') =>
  keepSteady({ rows: rowsOf(shown), gone: new Set(rowsOf(gone)) }, rowsOf(fresh), idOf)
const steady = (shown: string, fresh: string, gone = '') => {
  const { rows, newCount } = update(shown, fresh, gone)
  return [rows.join(' '), newCount]
}

describe('keepSteady', () => {
  it('holds back and counts new rows, and keeps the rows they push off the page', () => {
    expect(steady('c b a', 'e d c')).toEqual(['c b a', 2])
    expect(steady('c b a', 'd c b')).toEqual(['c b a', 1])
    expect(steady('c b a', 'c d b a')).toEqual(['c b a', 1])
  })

  it('updates rows, and removes rows that are gone', () => {
    expect(steady('c b a', 'c b2 a')).toEqual(['c b2 a', 0])
    expect(steady('c b a', 'c a')).toEqual(['c a', 0])
    expect(steady('c b a', 'd c a')).toEqual(['c a', 1])
  })

  it('returns rows that were gone to their places', () => {
    expect(steady('d b a', 'd c b a', 'c')).toEqual(['d c b a', 0])
    expect(steady('c a', 'd c b a', 'b d')).toEqual(['d c b a', 0])
    expect(steady('c a', 'e d c b a', 'b d')).toEqual(['d c b a', 1])
    expect(steady('a c', 'c b a', 'b')).toEqual(['a c b', 0])
  })

  it('knows which rows were removed, and which only left the page', () => {
    expect([...update('c b a', 'c a').gone]).toEqual(['b'])
    expect([...update('c b a', 'd c b').gone]).toEqual([])
    expect([...update('c a', 'c b a', 'b').gone]).toEqual([])
    expect(steady('c b', 'a c b')).toEqual(['c b', 1])
  })

  it('appends rows that move up from the next page', () => {
    expect(steady('d c b', 'd b a')).toEqual(['d b a', 0])
  })

  it('is replaced if none of its rows remain', () => {
    expect(steady('c b a', 'z y x')).toEqual(['z y x', 0])
  })
})
