import { isSameName, lowestTrust, shapedBy, type Shapers, type Trust, type Writer } from '../operation/writer.ts'
import type { FormerText, StoredDocument } from './store.ts'

/** Who has shaped a document's new text. */

interface Shaping {
  text: string
  writer: Writer
  trust: Trust
  /** With the text of a former version: that version. */
  former?: FormerText
}

/** Who shaped a document, also with the run that undoing it takes it back for, if others have replaced all of its text since. */
export type DocumentShapers = Shapers & { creator?: Omit<Writer, 'at'> | undefined }

/** Who wrote the document when it had no text. */
export const creatorOf = ({ creator, ...shapers }: DocumentShapers): Omit<Writer, 'at'> => creator ?? shapers

/** Returns the same object if the text and its trust stay the same. */
export function shapersAfter(before: StoredDocument | undefined, change: Shaping): DocumentShapers {
  const after = shapersOfChange(before, change)
  if (before?.content !== change.text) return after
  // Restoring a former text that someone else has brought back word for word still restores its trust.
  const regainsTrust = change.text !== '' && lowestTrust(after.trust, before.shapers.trust) !== after.trust
  return regainsTrust ? after : before.shapers
}

function shapersOfChange(before: StoredDocument | undefined, change: Shaping): DocumentShapers {
  const { writer, trust, former } = change
  // Nothing remains of a removed text, so the next one has a new author.
  if (before === undefined || before.content === '')
    return former === undefined ? startWith(change) : shapersOfFormer(former, change)
  const { integrationId, agentId, agentRunId, route } = creatorOf(before.shapers)
  const creator = { integrationId, agentId, agentRunId, route }
  if (former !== undefined) {
    const isOthers = before.shapers.hasOtherWriters === true || !isSameName(before.shapers, former.author)
    return { ...shapersOfFormer(former, change, isOthers), creator }
  }
  const { shapers, content } = before
  const changed = { ...shapers, ...shapedBy(shapers, writer, trust) }
  if (shapers.hasOtherWriters !== true && isSameName(shapers, writer)) return changed
  const common = shareInCommon(change.text, content)
  if (common >= minShare) return changed
  // Trust rises only if not even a few words of others are left.
  return { ...startWith(change), ...(common > 0 && { trust: changed.trust }), creator }
}

const startWith = ({ writer, trust }: Shaping): Shapers => ({ ...authorIn(writer), trust, changedBy: writer })

function shapersOfFormer(
  { author, writer: last, trust: formerTrust }: FormerText,
  { writer, trust }: Shaping,
  isOthers = false,
): Shapers {
  const hasOtherWriters = isOthers || !isSameName(author, last) || undefined
  const base = { ...author, hasOtherWriters, trust: formerTrust }
  return { ...base, ...shapedBy(base, writer, trust) }
}

const authorIn = ({ at: _at, ...author }: Writer): Omit<Writer, 'at'> => author

/** With less in common, one text has replaced the other: long texts share a few phrases by chance. */
const minShare = 0.1

/** In a row. Single words are in all texts. */
const wordsInPhrase = 3

/** The share of the text's phrases that the other text has as well, 0 to 1. Of two long texts, this takes 20 ms. */
function shareInCommon(text: string, other: string): number {
  const [words, others] = [wordsOf(text), wordsOf(other)]
  const length = Math.max(1, Math.min(wordsInPhrase, words.length, others.length))
  const known = new Set(phrasesOf(others, length))
  const phrases = phrasesOf(words, length)
  return phrases.length === 0 ? 0 : phrases.filter((phrase) => known.has(phrase)).length / phrases.length
}

/** A script without spaces has no words to tell apart, so each of its characters counts as one. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}\p{M}]+/gu) ?? []

const phrasesOf = (words: readonly string[], length: number): string[] =>
  Array.from({ length: Math.max(0, words.length - length + 1) }, (_, at) => words.slice(at, at + length).join(' '))
