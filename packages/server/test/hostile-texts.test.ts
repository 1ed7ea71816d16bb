import { findExcess, hostileTexts, type MakeText } from '@holdfast/transfer/testing/hostile-texts'
import { listCodeRegions, listFences } from '@holdfast/transfer/text/code-regions'
import { listWikiTitles, renameWikiLinks } from '@holdfast/transfer/text/wiki-links'
import { expect, it } from 'vitest'
import { chunkText, sentencesOf } from '../src/text/split-text.ts'
import { countWords, tokenize } from '../src/text/tokenize.ts'
import { previewOf, snippetOf } from '../src/text/excerpts.ts'
import { findTitleMentions, linkMentions } from '../src/text/find-in-text.ts'

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  listCodeRegions,
  listFences,
  listWikiTitles,
  renameWikiLinks: (text) => renameWikiLinks(text, 'a', 'b'),
  chunkText,
  countWords,
  previewOf,
  sentencesOf,
  snippetOf: (text) => snippetOf(text, 'a b x'),
  linkMentions: (text) => linkMentions(text, 'A', findTitleMentions(text, 'A')),
  tokenize,
}

it.each(Object.entries(hostileTexts))('the server reads %s in linear time', (_, make: MakeText) => {
  const slow = Object.entries(readers).flatMap(([name, read]) => {
    const excess = findExcess(read, make)
    return excess === undefined ? [] : `${name}: ${excess}`
  })
  expect(slow).toEqual([])
})

it('links beyond the limit are not read', () => {
  const links = Array.from({ length: 100 }, (_, at) => `[[b${at}]]`).join('')
  expect(listWikiTitles(links, 10)).toHaveLength(10)
  expect(listWikiTitles(links)).toHaveLength(100)
})
