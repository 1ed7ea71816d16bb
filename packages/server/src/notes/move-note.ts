import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { updateEntry } from '../vault-index/store.ts'
import { nextSeq } from '../vaults/store.ts'
import { namesIn, pathsOf, placeIn, refuseTwoPlaces } from './folder.ts'
import { noteFields, noteId } from './note.ts'
import { getNote, updateNoteRow } from './store.ts'

export const moveNote = operation({
  name: 'move-note',
  scopes: ['write'],
  vault: 'resolved',
  summary: "Move a note to another folder, or to the vault's root.",
  effect: 'write',
  alias: 'noteId',
  input: z.object({
    noteId,
    folderId: noteFields.folderId
      .nullable()
      .optional()
      .describe("Folder to move it to; null: the vault's root. Without folderId and folderPath it stays where it is."),
    folderPath: noteFields.folderPath.optional(),
    ...fields.inVault,
  }),
  output: z.looseObject({
    noteId: z.uuid(),
    moved: z.boolean().describe('False where it lay there already.'),
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
  async run(asked, { db, vault, now }) {
    refuseTwoPlaces(asked)
    namesIn(asked.folderPath ?? '', 'folderPath')
    return db.write(async (tx) => {
      const seq = await nextSeq(tx, vault.userId, vault.id)
      const note = await getNote(tx, vault, asked.noteId)
      const at = now()
      const isAsked = asked.folderId !== undefined || asked.folderPath !== undefined
      const folderId = isAsked ? await placeIn(tx, vault, asked, at) : note.folderId
      const moved = folderId !== note.folderId
      const after = moved ? { ...note, folderId, version: note.version + 1, updatedAt: at } : note
      if (moved) {
        await updateNoteRow(tx, vault, after, { resealed: false })
        // Search knows no folders, but sessions count what has changed by the entries' numbers.
        await updateEntry(tx, vault, after.noteId, seq, {})
      }
      const paths = await pathsOf(tx, vault, [after])
      return {
        noteId: after.noteId,
        moved,
        folderId: folderId ?? null,
        folderPath: paths.get(folderId ?? '') ?? null,
        version: after.version,
        vaultId: vault.id,
      }
    })
  },
})
