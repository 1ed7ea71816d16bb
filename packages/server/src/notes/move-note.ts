import { z } from 'zod'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { updateEntry } from '../vault-index/stored/store.ts'
import { nextSeq } from '../vaults/store.ts'
import { namesIn, pathsOf, placeIn, refuseTwoPlaces, type Destination } from './folder.ts'
import { noteFields, noteId, type Note } from './note.ts'
import { queueChange } from './save-note.ts'
import { getNote, updateNoteRow } from './store.ts'

export const moveNote = operation({
  name: 'move-note',
  for: { agent: { toolset: 'notes', scopes: ['write'] }, person: 'POST /api/notes/move' },
  vault: 'resolved',
  summary: "Move a note to another folder, or to the vault's root.",
  effect: 'write',
  changes: ['notes'],
  about: ({ noteId: id }) => refs('note', id),
  alias: 'noteId',
  input: z.object({
    noteId,
    folderId: noteFields.folderId
      .nullable()
      .optional()
      .describe(
        "Folder to move it to; null: the vault's root. Without folderId and folderPath, the note stays in place.",
      ),
    folderPath: noteFields.folderPath.optional(),
    ...fields.inVault,
  }),
  output: z.looseObject({
    noteId: z.uuid(),
    moved: z.boolean().describe('False if the note was already there.'),
    folderId: z.uuid().nullable(),
    folderPath: z.string().nullable(),
    version: z.int(),
    vaultId: z.uuid(),
  }),
  examples: {
    input: { noteId: '0198c5f0-0000-7000-8000-000000000201', folderPath: 'Projects/Holdfast' },
    output: {
      noteId: '0198c5f0-0000-7000-8000-000000000201',
      moved: true,
      folderId: '0198c5f0-0000-7000-8000-000000000301',
      folderPath: 'Projects/Holdfast',
      version: 2,
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
    },
  },
  async run(asked, ctx) {
    refuseTwoPlaces(asked)
    namesIn(asked.folderPath ?? '', 'folderPath')
    const { note, moved } = await placeNote(ctx, asked.noteId, asked)
    const paths = await pathsOf(ctx.db.read, ctx.vault, [note])
    return {
      noteId: note.noteId,
      moved,
      folderId: note.folderId ?? null,
      folderPath: paths.get(note.folderId ?? '') ?? null,
      version: note.version,
      vaultId: ctx.vault.id,
    }
  },
})

/** Moves the note and creates the folders of its path that are missing. */
const placeNote = (
  { db, vault, now }: Pick<VaultContext, 'db' | 'vault' | 'now'>,
  id: string,
  { folderId, folderPath }: Destination,
): Promise<{ note: Note; moved: boolean }> =>
  db.write(async (tx) => {
    const seq = await nextSeq(tx, vault)
    const note = await getNote(tx, vault, id)
    const at = now()
    const hasDestination = folderId !== undefined || folderPath !== undefined
    const target = hasDestination ? await placeIn(tx, vault, { folderId, folderPath }, at) : note.folderId
    if (target === note.folderId) return { note, moved: false }
    const after = { ...note, folderId: target, version: note.version + 1, updatedAt: at }
    await updateNoteRow(tx, vault, after, { resealed: false })
    // The index knows no folders, but sessions find changed records by the sequence numbers of their entries.
    await updateEntry(tx, vault, seq, { itemId: after.noteId, facts: {} })
    await queueChange(tx, vault, after, 'note.updated')
    return { note: after, moved: true }
  })
