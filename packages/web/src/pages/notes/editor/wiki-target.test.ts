import { expect, it } from 'vitest'
import { readWikiTarget, withTitle } from './wiki-target.ts'

it.each([
  ['Title', 'Title', undefined],
  [' Title |shown', 'Title', undefined],
  ['Title#Heading', 'Title', 'Heading'],
  ['Title#A heading|shown', 'Title', 'A heading'],
  ['Issue #12', 'Issue #12', undefined],
  ['C#', 'C#', undefined],
  ['C# style', 'C# style', undefined],
])('a link to %j leads to the title %j', (inner, title, heading) => {
  expect(readWikiTarget(inner)).toEqual({ title, heading })
})

it('titles are compared as the server compares them', () => {
  const notes = [{ title: 'Ｈoldfast  Rules' }]
  expect(withTitle(notes, 'holdfast rules')).toBe(notes[0])
  expect(withTitle(notes, 'holdfast')).toBeUndefined()
})
