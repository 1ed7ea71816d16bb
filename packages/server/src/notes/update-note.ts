import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { isLinkable, renameWikiLinks, titleKey } from '@holdfast/transfer/text/wiki-links'
import { conflict, invalid, notFound } from '../core/errors.ts'
import { isoTime } from '../core/time.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { VaultContext } from '../operation/context.ts'
import { writerOf, type WriterContext } from '../operation/claimed-agent.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { trustOfActor, type NamedWriter, type Writer } from '../operation/writer.ts'
import { enforce, type Permit } from '../proposals/permit.ts'
import { proposalNotice, proposeInstead } from '../proposals/propose.ts'
import { refs } from '../calls/records.ts'
import type { PreparedEntry } from '../vault-index/index-record.ts'
import { nextSeq } from '../vaults/store.ts'
import { changeNote, isUnchanged, type Change, type NoteChange } from './change-note.ts'
import { followHolders, maxNamers, refreshLinksFrom, resolveLinks, wikiTitlesOf } from './link-notes.ts'
import {
  askedNote,
  judgeNote,
  noteBodyLimitBytes,
  newNoteTitle,
  noteFields,
  noteId,
  resolvedLinks,
  type Note,
  type ResolvedLinks,
} from './note.ts'
import { listLinking, losesItsName, planRewrites, type Rewrite, type Rewriting } from './rename-note.ts'
import { prepareNoteEntry, saveNote } from './save-note.ts'
import { getNote } from './store.ts'
import { findVersion } from './version-store.ts'
import { listNamers } from './wiki-store.ts'

const edit = z.object({
  find: z.string().min(1).max(500_000).describe('A passage that occurs exactly once.'),
  replace: z.string().max(500_000).describe('The text to put in its place.'),
})

const input = z.object({
  noteId,
  title: newNoteTitle.optional().describe('New title; notes that link to this one by the old title are rewritten.'),
  rewriteLinks: z
    .boolean()
    .optional()
    .describe('With a new title: false leaves notes that link to the old title unchanged. Default: true.'),
  content: noteFields.content.optional(),
  mode: z
    .enum(['replace', 'append', 'prepend'])
    .default('replace')
    .describe('Whether content replaces the text, or is added after or before it without a separator.'),
  edits: z
    .array(edit)
    .min(1)
    .max(100)
    .optional()
    .describe(
      'Changes within the text, applied in order, instead of content; 1 to 100. Their number times the length of the note may be at most 5,000,000 characters.',
    ),
  tags: noteFields.tags.optional().describe('The new list of tags, at most 50.'),
  fromVersion: fields.fromVersion,
  trashed: z
    .literal(false, 'must be false, which restores the note; to move it to the trash, use delete-note')
    .optional()
    .describe('false restores a trashed note. To trash one, use delete-note.'),
  expectedVersion: fields.expectedVersion,
  ...fields.inVault,
})

export const updateNote = operation({
  name: 'update-note',
  for: { agent: { toolset: 'notes', scopes: ['write'] }, person: 'PATCH /api/notes' },
  vault: 'resolved',
  summary:
    'Change a note, or restore a former version or a trashed note. Omitted fields stay unchanged. The last 50 versions are kept, and the last one by each writer.',
  effect: 'write',
  changes: ['notes'],
  about: ({ noteId: id }) => refs('note', id),
  alias: 'noteId',
  bodyLimitBytes: noteBodyLimitBytes,
  input,
  output: z.looseObject({
    noteId: z.uuid(),
    updated: z.boolean().describe('False if there was nothing to change.'),
    version: z.int(),
    vaultId: z.uuid(),
    updatedAt: fields.timestamp,
    content: z
      .string()
      .optional()
      .describe('The new text, if a new title also changed links of the note to itself that you did not write.'),
    ...resolvedLinks,
    proposal: proposalNotice,
  }),
  examples: {
    input: {
      noteId: '0198c5f0-0000-7000-8000-000000000201',
      content: 'Back up first, see [[Backups]]. Checked on Monday.',
      tags: ['operations', 'checked'],
    },
    output: {
      noteId: '0198c5f0-0000-7000-8000-000000000201',
      updated: true,
      version: 2,
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      updatedAt: '2026-11-21T09:30:00.000Z',
      links: [{ noteId: '0198c5f0-0000-7000-8000-000000000202', title: 'Backups' }],
      unresolvedLinks: [],
    },
  },
  async run(change, ctx) {
    if (change.content !== undefined && change.edits !== undefined)
      throw invalid({ content: 'give content or edits, not both' })
    if (change.fromVersion !== undefined && hasOtherFields(change))
      throw invalid({ fromVersion: 'cannot be combined with other fields except expectedVersion' })
    const writer = writerOf(ctx, change)
    const changer = { writer, trust: trustOfActor(ctx.actor), permit: (_tx: Tx, one: Note) => judgeNote(ctx, one) }
    const saved = await saveNoteChange(ctx, change, changer).catch((error: unknown) =>
      proposeChange(ctx, error, change, writer),
    )
    const { note, resolved, updated, hasOwnLinksRenamed } = saved
    return {
      noteId: note.noteId,
      updated,
      version: note.version,
      vaultId: note.vaultId,
      updatedAt: isoTime(note.updatedAt),
      ...(hasOwnLinksRenamed && { content: note.content }),
      ...resolved,
      ...('proposal' in saved && { proposal: saved.proposal }),
    }
  },
})

async function proposeChange(
  ctx: Pick<VaultContext, 'db' | 'vault'>,
  error: unknown,
  change: z.output<typeof input>,
  by: NamedWriter,
) {
  const { proposal } = await proposeInstead(ctx, error, { operation: 'update-note', input: change, by })
  return {
    ...(await unchanged(ctx.db.read, ctx.vault, await getNote(ctx.db.read, ctx.vault, change.noteId))),
    proposal,
  }
}

const hasOtherFields = ({ title, rewriteLinks, content, edits, mode, tags, trashed }: NoteChange): boolean =>
  mode !== 'replace' || [title, rewriteLinks, content, edits, tags, trashed].some((field) => field !== undefined)

/** A change of an existing note. */
export interface NoteUpdate extends NoteChange {
  noteId: string
  /** The version whose text the note gets back, instead of a new text. */
  fromVersion?: number | undefined
  /** 409 unless the note still has this version. */
  expectedVersion?: number | undefined
}

export interface SavedNote {
  note: Note
  resolved: ResolvedLinks
  /** False if there was nothing to change. */
  updated: boolean
  /** Whether links to its old title in its own text were renamed with it. */
  hasOwnLinksRenamed: boolean
}

const maxAttempts = 3

export type NoteUpdateContext = Pick<VaultContext, 'db' | 'vault' | 'embeddings' | 'log' | 'now'>

/** Who changes a note. */
export interface NoteChanger extends Change {
  /** Asked about a note whose text changes, also because its links follow another note's title. Undefined for people. */
  permit?: Permit<Note> | undefined
}

/** A person, in a call. */
export const personChanging = (ctx: WriterContext): NoteChanger => ({
  writer: writerOf(ctx),
  trust: trustOfActor(ctx.actor),
})

/** Saves a change, and renames links in other notes if the title changes. 404 if the note does not exist. */
export async function saveNoteChange(
  ctx: NoteUpdateContext,
  change: NoteUpdate,
  changer: NoteChanger,
): Promise<SavedNote> {
  for (let attempt = 1; ; attempt++) {
    const saved = await tryUpdate(ctx, change, changer, attempt < maxAttempts)
    if (saved !== undefined) return saved
  }
}

/**
 * Returns undefined to try again: the notes changed in the meantime and their new texts need embedding, which no transaction waits
 * for. Without `mayRestart` the change is applied to the current notes, and the job that fills in vectors embeds them later.
 */
async function tryUpdate(
  ctx: NoteUpdateContext,
  change: NoteUpdate,
  changer: NoteChanger,
  mayRestart: boolean,
): Promise<SavedNote | undefined> {
  const { db, vault } = ctx
  const before = await getNote(db.read, vault, change.noteId)
  const planned = await planUpdate(db.read, { ...ctx, changer, pause: nextTurn }, change, before)
  if (planned === undefined) return unchanged(db.read, vault, before)
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault)
    const current = await getNote(tx, vault, change.noteId)
    const isStale = current.version !== before.version || (await hasOtherRewrites(tx, vault, planned))
    if (isStale && mayRestart && ctx.embeddings !== undefined) return undefined
    const update = isStale ? await planUpdate(tx, withoutWaiting(ctx, changer), change, current) : planned
    if (update === undefined) return unchanged(tx, vault, current)
    if (changer.permit !== undefined) await askAbout(tx, update, changer.permit)
    const { after, hasOwnLinksRenamed = false } = update
    return { note: after, resolved: await storeUpdate(tx, vault, seq, update), updated: true, hasOwnLinksRenamed }
  })
}

/** The person decides about the note with the new title, also if only the links of other notes to it are theirs. */
async function askAbout(tx: Tx, { before, after, rewrites }: Update, permit: Permit<Note>): Promise<void> {
  const isChanged = after.contentRevision !== before.contentRevision
  for (const note of [...(isChanged ? [before] : []), ...rewrites.map((rewrite) => rewrite.before)])
    enforce(await permit(tx, note), () => askedNote(before))
}

/** Restores a former text in a transaction. Other notes' links keep the title that the note loses. */
export async function restoreNoteText(
  tx: Tx,
  ctx: NoteUpdateContext,
  seq: number,
  { note, fromVersion, changer }: { note: Note; fromVersion: number; changer: NoteChanger },
): Promise<void> {
  const change = { noteId: note.noteId, fromVersion, mode: 'replace', rewriteLinks: false } as const
  const update = await planUpdate(tx, withoutWaiting(ctx, changer), change, note)
  if (update !== undefined) await storeUpdate(tx, ctx.vault, seq, update)
}

/** Whether a note can't change its title, because too many notes link to one of both. */
export async function hasTooManyNamers(db: Reader, vault: VaultScope, titles: readonly string[]): Promise<boolean> {
  const keys = new Set(titles.map((title) => titleKey(title)))
  if (keys.size === 1) return false
  for (const key of keys) if ((await listNamers(db, vault, key, maxNamers + 1)).length > maxNamers) return true
  return false
}

async function unchanged(db: Reader, vault: VaultScope, note: Note): Promise<SavedNote> {
  return { note, resolved: await resolveLinks(db, vault, note), updated: false, hasOwnLinksRenamed: false }
}

/** In a transaction, nothing waits for embeddings or for other requests. */
const withoutWaiting = (ctx: NoteUpdateContext, changer: NoteChanger) => ({
  ...ctx,
  changer,
  embeddings: ctx.embeddings && ('later' as const),
  pause: async () => {},
})

/** What an update writes, prepared before its transaction: the note, and the texts that use a title it loses. */
export interface Update {
  before: Note
  after: Note
  /** Undefined if search finds the note by the same words. */
  entry: PreparedEntry | undefined
  rewrites: readonly Rewrite[]
  /** Who changes the text; undefined if it stays the same. */
  by?: Writer
  /** Whether texts that link to the note keep the title that it loses. */
  leavesLinks?: boolean
  hasOwnLinksRenamed?: boolean
}

type Updating = Omit<Rewriting, 'writer' | 'trust'> & { changer: NoteChanger }

/** Undefined if there is nothing to change. */
async function planUpdate(db: Reader, ctx: Updating, asked: NoteUpdate, before: Note): Promise<Update | undefined> {
  const change = { ...asked, ...(await findFormerText(db, ctx.vault, asked)) }
  const { expectedVersion, title = before.head.title, rewriteLinks = true } = change
  if (expectedVersion !== undefined && expectedVersion !== before.version)
    throw conflict(
      `The note has version ${before.version}, not ${expectedVersion}. Read it again and repeat your change on the new version`,
    )
  const isRenamed = rewriteLinks && (await losesItsName(db, ctx.vault, before, title))
  const renamed = isRenamed ? withOwnLinks(change, before, title) : change
  const { writer: by, trust } = ctx.changer
  const after = await changeNote(before, renamed, { writer: by, trust }, ctx.pause)
  if (isUnchanged(before, after)) return undefined
  wikiTitlesOf(after.content)
  return {
    before,
    after,
    entry: after.contentRevision === before.contentRevision ? undefined : await prepareNoteEntry(ctx, after),
    rewrites: isRenamed ? await planRewrites(db, { ...ctx, writer: by, trust }, before, title) : [],
    by,
    leavesLinks: !rewriteLinks,
    hasOwnLinksRenamed: renamed !== change && after.content !== before.content,
  }
}

/** The text of the version that the note gets back, if the change asks for one. */
async function findFormerText(
  db: Reader,
  scope: VaultScope,
  { noteId: id, fromVersion }: NoteUpdate,
): Promise<Partial<NoteChange>> {
  if (fromVersion === undefined) return {}
  const former = await findVersion(db, scope, id, fromVersion)
  if (former === undefined) throw notFound('Version')
  return { title: former.title, content: former.content, tags: former.tags, mode: 'replace', formerTrust: former.trust }
}

/** If the change has no text, links to the note in its own text also get the new title, if it can be linked to. */
function withOwnLinks(change: NoteUpdate, { head, content }: Note, title: string): NoteUpdate {
  if (change.content !== undefined || change.edits !== undefined || !isLinkable(title)) return change
  const renamed = renameWikiLinks(content, titleKey(head.title), title)
  return renamed === undefined ? change : { ...change, content: renamed, mode: 'replace' }
}

/** Whether the notes that link to this one have changed since the plan was made. */
async function hasOtherRewrites(
  tx: Tx,
  scope: VaultScope,
  { before, after, rewrites, leavesLinks = false }: Update,
): Promise<boolean> {
  const isRenamed = !leavesLinks && (await losesItsName(tx, scope, before, after.head.title))
  const linking = isRenamed ? await listLinking(tx, scope, before) : []
  const known = new Map(rewrites.map((planned) => [planned.before.noteId, planned.before.version]))
  return linking.length !== known.size || linking.some(({ noteId: id, version }) => known.get(id) !== version)
}

/** Writes the note, the texts that change with it, and the links of all of them. */
export async function storeUpdate(tx: Tx, vault: VaultScope, seq: number, update: Update): Promise<ResolvedLinks> {
  const { before, after, rewrites } = update
  const keys = [...new Set([before, after].map(({ head }) => titleKey(head.title)))]
  const mayChangeHolder = keys.length > 1 || before.trashedAt !== after.trashedAt
  await followHolders(tx, vault, seq, {
    note: after,
    keys: mayChangeHolder ? keys : [],
    isForced: rewrites.length > 0,
    async write() {
      for (const rewrite of rewrites) await saveNote(tx, vault, seq, { ...rewrite, by: update.by })
      await saveNote(tx, vault, seq, update)
    },
  })
  return refreshLinksFrom(tx, vault, { seq, at: after.updatedAt }, after)
}
