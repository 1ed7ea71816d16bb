import { newId } from '../core/ids.ts'
import type { Reader } from '../db/dialect.ts'
import { claimedAgentId } from '../operation/claimed-agent.ts'
import type { VaultContext } from '../operation/context.ts'
import { countWords } from '../text/tokenize.ts'
import { previewOf } from '../text/excerpts.ts'
import { nextSeq } from '../vaults/store.ts'
import { namesIn, placeIn, refuseTwoPlaces, type Destination } from './folder.ts'
import { prepareNoteEntry } from './index-note.ts'
import { linkNewNote, resolveLinks, wikiTitlesOf } from './link-notes.ts'
import type { Note, ResolvedLinks } from './note.ts'
import { insertNote } from './save-note.ts'
import { findByExternalWriteId, getNote } from './store.ts'

/** A note as somebody wants it. */
export interface NewNote extends Destination {
  title: string
  content: string
  tags?: string[] | undefined
  externalWriteId?: string | undefined
  agentId?: string | undefined
  agentRunId?: string | undefined
  modelId?: string | undefined
}

export interface MadeNote {
  note: Note
  resolved: ResolvedLinks
  /** False where an earlier write with the same externalWriteId answers. */
  wasCreated: boolean
}

/** Writes a note, its index entry, its links and the folders that are missing, in one transaction. */
export async function makeNote(ctx: VaultContext, asked: NewNote): Promise<MadeNote> {
  const { db, vault } = ctx
  const { externalWriteId } = asked
  refuseTwoPlaces(asked)
  namesIn(asked.folderPath ?? '', 'folderPath')
  wikiTitlesOf(asked.content)
  const repeated = await findRepeated(db.read, ctx, externalWriteId)
  if (repeated !== undefined) return repeated
  const note = noteOf(asked, ctx)
  const entry = await prepareNoteEntry(ctx, note)
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault.userId, vault.id)
    // The vault's row is locked from here on: of two equal writes at once, the second sees the first.
    const winner = await findRepeated(tx, ctx, externalWriteId)
    if (winner !== undefined) return winner
    const placed = { ...note, folderId: await placeIn(tx, vault, asked, note.createdAt) }
    ctx.concerns('note', note.noteId)
    const resolved = await linkNewNote(tx, vault, seq, placed, () => insertNote(tx, vault, seq, placed, entry))
    return { note: placed, resolved, wasCreated: true }
  })
}

async function findRepeated(
  db: Reader,
  { vault }: VaultContext,
  externalWriteId: string | undefined,
): Promise<MadeNote | undefined> {
  const id = externalWriteId === undefined ? undefined : await findByExternalWriteId(db, vault, externalWriteId)
  if (id === undefined) return undefined
  const note = await getNote(db, vault, id)
  return { note, resolved: await resolveLinks(db, vault, note), wasCreated: false }
}

function noteOf(asked: NewNote, ctx: VaultContext): Note {
  const at = ctx.now()
  return {
    noteId: newId(),
    vaultId: ctx.vault.id,
    folderId: undefined,
    content: asked.content,
    wordCount: countWords(asked.content),
    trashedAt: undefined,
    contentRevision: 1,
    version: 1,
    createdAt: at,
    updatedAt: at,
    head: {
      title: asked.title,
      tags: asked.tags ?? [],
      preview: previewOf(asked.content),
      externalWriteId: asked.externalWriteId,
      agentId: claimedAgentId(ctx, asked.agentId),
      agentRunId: asked.agentRunId ?? ctx.request.runId,
      modelId: asked.modelId,
    },
  }
}
