import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { pathsOf } from './folder.ts'
import { noteFields, noteId } from './note.ts'
import { placeNote } from './place-note.ts'

export const moveNote = operation({
  name: 'move-note',
  for: { agent: { scopes: ['write'] } },
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
    const { note, moved } = await placeNote({ db, vault, now }, asked.noteId, asked)
    const paths = await pathsOf(db.read, vault, [note])
    return {
      noteId: note.noteId,
      moved,
      folderId: note.folderId ?? null,
      folderPath: paths.get(note.folderId ?? '') ?? null,
      version: note.version,
      vaultId: vault.id,
    }
  },
})
