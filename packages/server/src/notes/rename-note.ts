import type { VaultScope } from '../crypto/keys.ts'
import { invalid } from '../core/errors.ts'
import type { Reader } from '../db/dialect.ts'
import type { VaultContext } from '../operation/context.ts'
import { isLinkable, renameWikiLinks, titleKey } from '@holdfast/transfer/text/wiki-links'
import { shapedBy, type Trust, type Writer } from '../operation/writer.ts'
import { reviseNote } from './change-note.ts'
import { prepareNoteEntry } from './save-note.ts'
import type { Indexing, PreparedEntry } from '../vault-index/index-record.ts'
import { maxContentLength, type Note } from './note.ts'
import { findNotes } from './store.ts'
import { findHolders, listNamers } from './wiki-store.ts'

/**
 * When a note gets a new title, links to it in other notes are rewritten in the same transaction, each text as a new version. The work
 * is limited; above the limits the update fails with a 400 that says why.
 */

export const maxRewrittenNotes = 200
/** Tokenizing and keying take about half a second per million characters. */
export const maxRewrittenCharacters = 2_000_000

/** A note before and after, with its new index entry. */
export interface Rewrite {
  before: Note
  after: Note
  entry: PreparedEntry
}

/** Whether links by title lead to this note and would stop doing so with the new title. */
export async function losesItsName(db: Reader, scope: VaultScope, note: Note, title: string): Promise<boolean> {
  const key = titleKey(note.head.title)
  if (note.trashedAt !== undefined || titleKey(title) === key) return false
  return (await findHolders(db, scope, [key])).get(key) === note.noteId
}

/** The other notes that link to the note's title, with their versions: if two lists are equal, so are the texts. */
export async function listLinking(db: Reader, scope: VaultScope, { noteId, head }: Note) {
  const namers = await listNamers(db, scope, titleKey(head.title), maxRewrittenNotes + 2)
  return namers.filter((namer) => namer.noteId !== noteId)
}

export type Rewriting = Pick<VaultContext, 'vault' | 'now'> &
  Indexing & {
    /** Who gives the title. */
    writer: Writer
    trust: Trust
    /** Called between texts, so that other requests get their turn; does nothing in a transaction. */
    pause(): Promise<unknown>
  }

/** Rewrites the texts that link to `note` to the new title. */
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
      rewrites.push(await rewrite(ctx, before, { key: titleKey(note.head.title), title }, signal))
    }
    await ctx.pause()
  }
  return rewrites
}

/** For all texts together; the job that fills in vectors does the rest. */
const embeddingBudgetMs = 5_000

async function rewrite(
  ctx: Rewriting,
  before: Note,
  { key, title }: { key: string; title: string },
  signal: AbortSignal,
): Promise<Rewrite> {
  const content = renameWikiLinks(before.content, key, title)
  if (content === undefined)
    throw invalid({
      title: 'other notes link to this one, and in one of their texts the new title would not be read as a link',
    })
  refuse(
    content.length > maxContentLength,
    `a note that links to this one would be longer than ${maxContentLength} characters`,
  )
  const { head, trashedAt } = before
  // A person's title leaves the text its author's, with the trust it has. An agent's title is words of its own in another's text.
  const shapers = ctx.writer.integrationId === undefined ? undefined : shapedBy(head, ctx.writer, ctx.trust)
  const revision = { title: head.title, content, tags: head.tags, trashedAt, at: ctx.now() }
  const after = reviseNote(before, { ...revision, ...(shapers && { shapers }) })
  return { before, after, entry: await prepareNoteEntry(ctx, after, signal) }
}

function refuse(isTooMuch: boolean, problem: string): void {
  if (isTooMuch) throw invalid({ title: problem })
}
