import { setImmediate as nextTurn } from 'node:timers/promises'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { VaultContext } from '../operation/context.ts'
import { titleKey } from '@holdfast/transfer/text/wiki-links'
import { nextSeq } from '../vaults/store.ts'
import type { NoteChange } from './change-note.ts'
import { followHolders, refreshLinksFrom, resolveLinks } from './link-notes.ts'
import type { Note, ResolvedLinks } from './note.ts'
import { hasOtherRewrites, planUpdate, type Update } from './plan-update.ts'
import { saveNote } from './save-note.ts'
import { getNote } from './store.ts'

/** A change of a note that is there. */
export interface NoteUpdate extends NoteChange {
  noteId: string
  /** 409 unless the note still has it. */
  expectedVersion?: number | undefined
}

export interface SavedNote {
  note: Note
  resolved: ResolvedLinks
  /** False where nothing was to change. */
  updated: boolean
}

const maxAttempts = 3

/** 404 where it is not there. Texts that name the note by a title that it loses are rewritten with it. */
export async function saveNoteChange(ctx: VaultContext, change: NoteUpdate): Promise<SavedNote> {
  for (let attempt = 1; ; attempt++) {
    const saved = await tryUpdate(change, ctx, attempt < maxAttempts)
    if (saved !== undefined) return saved
  }
}

/**
 * Undefined where the notes changed meanwhile, their new texts would have to be embedded, which no transaction waits for, and
 * `mayRestart`. Otherwise the change is made to what is there now, and the job that fills in vectors does the rest.
 */
async function tryUpdate(change: NoteUpdate, ctx: VaultContext, mayRestart: boolean): Promise<SavedNote | undefined> {
  const { db, vault } = ctx
  const before = await getNote(db.read, vault, change.noteId)
  const planned = await planUpdate(db.read, { ...ctx, pause: nextTurn }, change, before)
  if (planned === undefined) return unchanged(db.read, vault, before)
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault.userId, vault.id)
    const current = await getNote(tx, vault, change.noteId)
    const isStale = current.version !== before.version || (await hasOtherRewrites(tx, vault, planned))
    if (isStale && mayRestart && ctx.embeddings !== undefined) return undefined
    const update = isStale ? await planUpdate(tx, hurried(ctx), change, current) : planned
    if (update === undefined) return unchanged(tx, vault, current)
    return { note: update.after, resolved: await storeUpdate(tx, vault, seq, update), updated: true }
  })
}

async function unchanged(db: Reader, vault: VaultScope, note: Note): Promise<SavedNote> {
  return { note, resolved: await resolveLinks(db, vault, note), updated: false }
}

/** In a transaction nothing but itself is waited for. */
const hurried = (ctx: VaultContext) => ({
  ...ctx,
  embeddings: ctx.embeddings && ('later' as const),
  pause: async () => {},
})

/** Writes the note and the texts that change with it; links follow what they say. */
export async function storeUpdate(tx: Tx, vault: VaultScope, seq: number, update: Update): Promise<ResolvedLinks> {
  const { before, after, rewrites } = update
  const keys = [...new Set([before, after].map(({ head }) => titleKey(head.title)))]
  const hasMoved = keys.length > 1 || before.trashedAt !== after.trashedAt
  await followHolders(
    tx,
    vault,
    seq,
    { note: after, keys: hasMoved ? keys : [], isForced: rewrites.length > 0 },
    async () => {
      for (const rewrite of rewrites) await saveNote(tx, vault, seq, rewrite)
      await saveNote(tx, vault, seq, update)
    },
  )
  return refreshLinksFrom(tx, vault, seq, after, after.updatedAt)
}
