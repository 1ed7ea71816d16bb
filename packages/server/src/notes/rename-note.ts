import type { VaultScope } from '../crypto/keys.ts'
import { invalid } from '../core/errors.ts'
import type { Reader } from '../db/dialect.ts'
import type { VaultContext } from '../operation/context.ts'
import { isLinkable, renameWikiLinks, titleKey } from '@holdfast/transfer/text/wiki-links'
import { reviseNote } from './change-note.ts'
import { prepareNoteEntry } from './save-note.ts'
import type { Indexing, PreparedEntry } from '../vault-index/index-record.ts'
import { maxContentLength, type Note } from './note.ts'
import { findNotes } from './store.ts'
import { findHolders, listNamers } from './wiki-store.ts'

/**
 * A note that gets another title takes along the links to it: the texts that name it are rewritten in the same
 * transaction, each as a new version. What that may take is bounded; beyond it the title stays as it is and a 400 says why.
 */

export const maxRewrittenNotes = 200
/** Tokenising and keying take about half a second a million characters. */
export const maxRewrittenCharacters = 2_000_000

/** A note's text before and after, with what search needs of it. */
export interface Rewrite {
  before: Note
  after: Note
  entry: PreparedEntry
}

/** Whether links by title lead to this note, and will no longer when it has the other title. */
export async function losesItsName(db: Reader, scope: VaultScope, note: Note, title: string): Promise<boolean> {
  const key = titleKey(note.head.title)
  if (note.trashedAt !== undefined || titleKey(title) === key) return false
  return (await findHolders(db, scope, [key])).get(key) === note.noteId
}

/** The other notes that link to a title, each with its version: of two equal lists, the texts are the same. */
export async function listLinking(db: Reader, scope: VaultScope, { noteId, head }: Note) {
  const namers = await listNamers(db, scope, titleKey(head.title), maxRewrittenNotes + 2)
  return namers.filter((namer) => namer.noteId !== noteId)
}

export type Rewriting = Pick<VaultContext, 'vault' | 'now'> &
  Indexing & {
    /** Between two texts, so that others get their turn; in a transaction there is no time for that. */
    pause(): Promise<unknown>
  }

/** The texts that name `note`, rewritten to the other title. */
export async function planRewrites(db: Reader, ctx: Rewriting, note: Note, title: string): Promise<Rewrite[]> {
  const linking = await listLinking(db, ctx.vault, note)
  if (linking.length === 0) return []
  refuse(linking.length > maxRewrittenNotes, `more than ${maxRewrittenNotes} notes link to this one`)
  refuse(
    !isLinkable(title),
    'other notes link to this one, and no link can name a title with [, ], |, a line break or #Heading',
  )
  const rewrites: Rewrite[] = []
  const signal = AbortSignal.timeout(embeddingBudgetMs)
  let characters = 0
  for (const { noteId } of linking) {
    for (const before of await findNotes(db, ctx.vault, [noteId])) {
      characters += before.content.length
      refuse(
        characters > maxRewrittenCharacters,
        'the notes that link to this one are too long to be rewritten at once',
      )
      rewrites.push(await rewrite(ctx, before, titleKey(note.head.title), title, signal))
    }
    await ctx.pause()
  }
  return rewrites
}

/** For all of them together; what takes longer is left to the job that fills in vectors. */
const embeddingBudgetMs = 5_000

async function rewrite(
  ctx: Rewriting,
  before: Note,
  key: string,
  title: string,
  signal: AbortSignal,
): Promise<Rewrite> {
  const content = renameWikiLinks(before.content, key, title)
  if (content === undefined)
    throw invalid({
      title: 'other notes link to this one, and in the text of one the title would read as something else',
    })
  refuse(
    content.length > maxContentLength,
    `a note that links to this one would be longer than ${maxContentLength} characters`,
  )
  const { head, trashedAt } = before
  const after = reviseNote(before, { title: head.title, content, tags: head.tags, trashedAt, at: ctx.now() })
  return { before, after, entry: await prepareNoteEntry(ctx, after, signal) }
}

function refuse(isTooMuch: boolean, problem: string): void {
  if (isTooMuch) throw invalid({ title: problem })
}
