import { describe, expect, it } from 'vitest'
import { keepSteady } from './steady-rows.tsx'

const idOf = (row: string) => row[0] ?? ''
const steady = (shown: string, fresh: string) => {
  const { rows, newCount } = keepSteady(shown.split(' '), fresh.split(' '), idOf)
  return [rows.join(' '), newCount]
}

describe('a list that changes while it is read', () => {
  it('keeps new rows back and counts them, with those that they push off the page', () => {
    expect(steady('c b a', 'e d c')).toEqual(['c b a', 2])
    expect(steady('c b a', 'd c b')).toEqual(['c b a', 1])
    expect(steady('c b a', 'c d b a')).toEqual(['c b a', 1])
  })

  it('shows rows as they are now, and leaves out those that are gone', () => {
    expect(steady('c b a', 'c b2 a')).toEqual(['c b2 a', 0])
    expect(steady('c b a', 'c a')).toEqual(['c a', 0])
    expect(steady('c b a', 'd c a')).toEqual(['c a', 1])
  })

  it('adds what moves up from the next page to the end', () => {
    expect(steady('d c b', 'd b a')).toEqual(['d b a', 0])
  })

  it('is another list where nothing is left of it', () => {
    expect(steady('c b a', 'z y x')).toEqual(['z y x', 0])
  })
})
