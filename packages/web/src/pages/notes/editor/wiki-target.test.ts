import { expect, it } from 'vitest'
import { memoryIdIn, memoryLink, readWikiTarget, withTitle } from './wiki-target.ts'

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

it('a link to a memory shows its title without characters that would end the link', () => {
  const id = '0198c5f0-0000-7000-8000-000000000101'
  expect(memoryLink(id, 'Tabs [not] spaces | 4')).toBe(`[[memory:${id}|Tabs not spaces 4]]`)
  expect(memoryLink(id, ' ')).toBe(`[[memory:${id}]]`)
  const { title } = readWikiTarget(memoryLink(id, 'x'.repeat(200)).slice(2, -2))
  expect([memoryIdIn(title), memoryIdIn('memory:tabs')]).toEqual([id, undefined])
})
