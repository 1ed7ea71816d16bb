import { findExcess, hostileTexts, type MakeText } from '@holdfast/transfer/testing/hostile-texts'
import { expect, it } from 'vitest'
import { isReadable } from './is-readable.ts'
import { listTextTags } from '../../pages/notes/editor/text-tags.ts'
import { noteParser } from './wiki-syntax.ts'
import { listHeadings } from '../../pages/notes/list-headings.ts'
import { plainText, readMarkdown } from './read-markdown.ts'

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  readMarkdown,
  plainText,
  isReadable,
  listHeadings,
  listTextTags: (text) => listTextTags(`#tag ${text}`),
  editor: (text) => isReadable(text) && noteParser.parse(text),
}

it.each(Object.entries(hostileTexts))('a page reads %s in linear time', (_, make: MakeText) => {
  const slow = Object.entries(readers).flatMap(([name, read]) => {
    const excess = findExcess(read, make)
    return excess === undefined ? [] : `${name}: ${excess}`
  })
  expect(slow).toEqual([])
})

it('the editor formats long notes, but not texts built to slow it down', () => {
  const section = `## Tuesday\n\n- [x] ${'some words of **a task**, see [[Duty roster]] '.repeat(5)}\n- [ ] another\n\n`
  expect(isReadable(section.repeat(2_000))).toBe(true)
  expect(isReadable(`| a | b |\n|---|---|\n${'| 1 | [x](https://a.example) |\n'.repeat(1_000)}`)).toBe(true)
  expect(isReadable('- [link](https://a.example)\n'.repeat(10_000))).toBe(true)
  for (const made of ['[[a]]', '> ', '- ', '# x\n', '`` ` ']) expect(isReadable(made.repeat(50_000))).toBe(false)
})
