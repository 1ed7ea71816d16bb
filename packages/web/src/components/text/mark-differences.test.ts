import { expect, it } from 'vitest'
import { markDifferences } from './mark-differences.ts'

const differing = (text: string, other: string) =>
  markDifferences(text, other)
    .filter(({ isDifferent }) => isDifferent)
    .map((piece) => piece.text)

it('marks the words that the other text lacks, and joins adjacent ones', () => {
  expect(differing('A bicycle costs 4.50 since May.', 'A bicycle costs 4.00')).toEqual(['4.50 since May.'])
  expect(differing('It now costs 4.50 and not 4.00 here', 'It now costs 4.00 here')).toEqual(['4.50 and not'])
})

it('ignores differences in letter case, spaces and punctuation', () => {
  expect(differing('Never on Fridays!', 'never  on\nfridays')).toEqual([])
})

it('marks nothing if most words of either differ', () => {
  expect(differing('Dogs pay half of it', 'Cats pay')).toEqual([])
  expect(differing('Cats pay', 'Dogs pay half of it')).toEqual([])
})

it('keeps the whole text', () => {
  const text = '  One\n\ntwo —  three. '
  const pieces = markDifferences(text, 'two one')
  expect(pieces.map((piece) => piece.text).join('')).toBe(text)
  expect(pieces.map(({ at }) => at)).toEqual([0, 14, 20])
})
