import { z } from 'zod'
import { newId } from '../core/ids.ts'
import type { Reader } from '../db/dialect.ts'
import type { VaultContext } from '../operation/context.ts'
import { type WriterContext, writerOf } from '../operation/claimed-agent.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { trustOfActor } from '../operation/writer.ts'
import { refs } from '../calls/records.ts'
import { countWords } from '../text/tokenize.ts'
import { previewOfNote } from '../text/excerpts.ts'
import { nextSeq } from '../vaults/store.ts'
import { namesIn, placeIn, refuseTwoPlaces } from './folder.ts'
import { linkNewNote, resolveLinks, wikiTitlesOf } from './link-notes.ts'
import { newNoteTitle, noteBodyLimitBytes, noteFields, resolvedLinks, type Note, type ResolvedLinks } from './note.ts'
import { insertNote, prepareNoteEntry } from './save-note.ts'
import { findByExternalWriteId, getNote } from './store.ts'

const input = z.object({
  title: newNoteTitle,
  content: noteFields.content.default(''),
  tags: noteFields.tags.optional(),
  folderId: noteFields.folderId.optional(),
  folderPath: noteFields.folderPath.optional(),
  externalWriteId: fields.externalWriteId.describe(
    'Idempotency key: a repeated call returns the first note and changes nothing.',
  ),
  ...fields.inVault,
})

type NewNote = z.output<typeof input>

export const createNote = operation({
  name: 'create-note',
  for: { agent: { toolset: 'notes', scopes: ['write'], creates: 'note' }, person: 'POST /api/notes' },
  vault: 'resolved',
  summary: 'Create a note, optionally in a folder. [[Titles]] in its text link to other notes.',
  effect: 'write',
  changes: ['notes'],
  bodyLimitBytes: noteBodyLimitBytes,
  input,
  output: z.looseObject({
    noteId: z.uuid(),
    created: z.boolean(),
    idempotent: z.boolean().describe('True if an earlier write with the same externalWriteId created the note.'),
    vaultId: z.uuid(),
    folderId: z.uuid().nullable(),
    title: z.string(),
    version: z.int(),
    ...resolvedLinks,
  }),
  returns: ({ noteId }) => refs('note', noteId),
  examples: {
    input: {
      title: 'Deploying Holdfast',
      content: 'Back up first, see [[Backups]] and [[Hosts#Staging]].',
      tags: ['operations'],
      folderPath: 'Projects/Holdfast',
    },
    output: {
      noteId: '0198c5f0-0000-7000-8000-000000000201',
      created: true,
      idempotent: false,
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      folderId: '0198c5f0-0000-7000-8000-000000000301',
      title: 'Deploying Holdfast',
      version: 1,
      links: [{ noteId: '0198c5f0-0000-7000-8000-000000000202', title: 'Backups' }],
      unresolvedLinks: ['Hosts'],
    },
  },
  created: ({ created }) => created,
  async run(asked, ctx) {
    const { note, resolved, wasCreated } = await writeNote(ctx, asked)
    return {
      noteId: note.noteId,
      created: wasCreated,
      idempotent: !wasCreated,
      vaultId: note.vaultId,
      folderId: note.folderId ?? null,
      title: note.head.title,
      version: note.version,
      ...resolved,
    }
  },
})

interface Written {
  note: Note
  resolved: ResolvedLinks
  /** False if an earlier write with the same externalWriteId created it. */
  wasCreated: boolean
}

type NoteWriter = WriterContext & Pick<VaultContext, 'about' | 'db' | 'embeddings' | 'log' | 'vault'>

/** Writes a note, its index entry, its links and any missing folders in one transaction. */
async function writeNote(ctx: NoteWriter, asked: NewNote): Promise<Written> {
  const { db, vault } = ctx
  const { externalWriteId } = asked
  refuseTwoPlaces(asked)
  namesIn(asked.folderPath ?? '', 'folderPath')
  wikiTitlesOf(asked.content)
  const repeated = await findRepeated(db.read, ctx, externalWriteId)
  if (repeated !== undefined) return repeated
  const note = draftNote(asked, ctx)
  const entry = await prepareNoteEntry(ctx, note)
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault)
    // From here on the vault's row is locked, so the second of two equal concurrent writes sees the first.
    const winner = await findRepeated(tx, ctx, externalWriteId)
    if (winner !== undefined) return winner
    const placed = { ...note, folderId: await placeIn(tx, vault, asked, note.createdAt) }
    ctx.about('note', note.noteId)
    const resolved = await linkNewNote(tx, vault, seq, {
      note: placed,
      write: () => insertNote(tx, vault, seq, { note: placed, entry }),
    })
    return { note: placed, resolved, wasCreated: true }
  })
}

async function findRepeated(
  db: Reader,
  { vault }: Pick<VaultContext, 'vault'>,
  externalWriteId: string | undefined,
): Promise<Written | undefined> {
  const id = externalWriteId === undefined ? undefined : await findByExternalWriteId(db, vault, externalWriteId)
  if (id === undefined) return undefined
  const note = await getNote(db, vault, id)
  return { note, resolved: await resolveLinks(db, vault, note), wasCreated: false }
}

function draftNote(asked: NewNote, ctx: WriterContext & Pick<VaultContext, 'vault'>): Note {
  const { at, ...author } = writerOf(ctx, asked)
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
      preview: previewOfNote(asked.content),
      externalWriteId: asked.externalWriteId,
      modelId: asked.modelId,
      ...author,
      trust: trustOfActor(ctx.actor),
    },
  }
}
