import type { VaultScope } from '../crypto/keys.ts'
import { conflict } from '../core/errors.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import { isLinkable, renameWikiLinks, titleKey } from '@holdfast/transfer/text/wiki-links'
import { changeNote, isUnchanged, type NoteChange } from './change-note.ts'
import { prepareNoteEntry } from './index-note.ts'
import type { PreparedEntry } from '../vault-index/index-record.ts'
import { wikiTitlesOf } from './link-notes.ts'
import type { Note } from './note.ts'
import { listLinking, losesItsName, planRewrites, type Rewrite, type Rewriting } from './rename-note.ts'

/** What an update will write, made ready before its transaction opens: the note, and the texts that name it by a title it loses. */

type Change = NoteChange & { expectedVersion?: number | undefined }

export interface Update {
  before: Note
  after: Note
  /** Left out where search finds the note as before. */
  entry: PreparedEntry | undefined
  rewrites: readonly Rewrite[]
  /** Whether texts that name the note keep the title that it loses. */
  leavesLinks?: boolean
}

/** Undefined where nothing is to change. */
export async function planUpdate(
  db: Reader,
  ctx: Rewriting,
  change: Change,
  before: Note,
): Promise<Update | undefined> {
  refuseOtherVersion(change, before)
  const { title = before.head.title, rewriteLinks = true } = change
  const isRenamed = rewriteLinks && (await losesItsName(db, ctx.vault, before, title))
  const renamed = isRenamed ? withOwnLinks(change, before, title) : change
  const after = await changeNote(before, renamed, ctx.now(), ctx.pause)
  if (isUnchanged(before, after)) return undefined
  wikiTitlesOf(after.content)
  return {
    before,
    after,
    entry: after.contentRevision === before.contentRevision ? undefined : await prepareNoteEntry(ctx, after),
    rewrites: isRenamed ? await planRewrites(db, ctx, before, title) : [],
    leavesLinks: !rewriteLinks,
  }
}

function refuseOtherVersion({ expectedVersion }: Change, { version }: Note): void {
  if (expectedVersion !== undefined && expectedVersion !== version)
    throw conflict(`The note has version ${version}, not ${expectedVersion}; read it again and decide anew`)
}

/** Where the text is not changed anyway, what it says of itself follows the title too, if a link can name it there. */
function withOwnLinks(change: Change, { head, content }: Note, title: string): Change {
  if (change.content !== undefined || change.edits !== undefined || !isLinkable(title)) return change
  const renamed = renameWikiLinks(content, titleKey(head.title), title)
  return renamed === undefined ? change : { ...change, content: renamed, mode: 'replace' }
}

/** Whether other texts than those of the plan name the note by now. */
export async function hasOtherRewrites(
  tx: Tx,
  scope: VaultScope,
  { before, after, rewrites, leavesLinks = false }: Update,
): Promise<boolean> {
  const isRenamed = !leavesLinks && (await losesItsName(tx, scope, before, after.head.title))
  const linking = isRenamed ? await listLinking(tx, scope, before) : []
  const known = new Map(rewrites.map((planned) => [planned.before.noteId, planned.before.version]))
  return linking.length !== known.size || linking.some(({ noteId: id, version }) => known.get(id) !== version)
}
