import { defuseMarks } from '@holdfast/client'
import { listCodeRegions, listFences } from '@holdfast/transfer/text/code-regions'
import { listWikiTitles, renameWikiLinks } from '@holdfast/transfer/text/wiki-links'
import { chunkText, sentencesOf } from '../src/text/split-text.ts'
import { countWords, tokenize } from '../src/text/tokenize.ts'
import { previewOf, previewOfNote, snippetOf } from '../src/text/excerpts.ts'
import { findTitleMentions, linkMentions } from '../src/text/find-in-text.ts'

/** The functions that read stored or sent text. */
export const readers: Readonly<Record<string, (text: string) => unknown>> = {
  listCodeRegions,
  listFences,
  listWikiTitles,
  renameWikiLinks: (text) => renameWikiLinks(text, 'a', 'b'),
  chunkText,
  countWords,
  previewOf,
  previewOfNote,
  sentencesOf,
  snippetOf: (text) => snippetOf(text, 'a b x'),
  linkMentions: (text) => linkMentions(text, 'A', findTitleMentions(text, 'A')),
  tokenize,
  defuseMarks,
}
