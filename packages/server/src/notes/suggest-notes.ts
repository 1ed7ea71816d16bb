import { z } from 'zod'
import { collectDamage } from '../crypto/cell.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { describeLeftOut, leftOut } from '../operation/page.ts'
import { maxTitleLength, titleKey } from '@holdfast/transfer/text/wiki-links'
import { pathsOf } from './folder.ts'
import { exampleNote } from './note.ts'
import { rankTitles } from './note-titles.ts'
import { findIntactOutlines } from './store.ts'

export const suggestNotes = operation({
  name: 'suggest-notes',
  for: { person: 'GET /api/notes/suggest' },
  vault: 'required',
  summary: 'Complete a note title: notes whose titles start with the typed text, then titles with a word that does.',
  effect: 'read',
  input: z.object({
    ...fields.ownVault,
    q: z
      .string()
      .max(maxTitleLength)
      .default('')
      .describe('The typed text. Letter case and white space do not matter; empty: the most recently changed notes.'),
    limit: z.coerce.number().int().min(1).max(50).default(10).describe('How many to return, 1 to 50.'),
  }),
  output: z.looseObject({
    notes: z.array(
      z.looseObject({
        noteId: z.uuid(),
        title: z.string(),
        folderId: z.uuid().nullable(),
        folderPath: z.string().nullable(),
      }),
    ),
    ...leftOut,
    total: z.int().describe('How many titles match.'),
  }),
  examples: {
    input: { vaultId: exampleNote.vaultId, q: 'depl' },
    output: {
      notes: [
        {
          noteId: exampleNote.noteId,
          title: exampleNote.title,
          folderId: exampleNote.folderId,
          folderPath: exampleNote.folderPath,
        },
      ],
      total: 1,
    },
  },
  async run({ q, limit }, { db, vault, instance, noteTitles }) {
    const { ids, total } = rankTitles(await noteTitles.read(vault), titleKey(q), limit)
    const damage = collectDamage(instance.onDamage)
    const intact = await findIntactOutlines(db.read, vault, ids, damage.onDamage)
    const notes = new Map(intact.map((note) => [note.noteId, note]))
    const paths = await pathsOf(db.read, vault, [...notes.values()])
    return {
      notes: ids.flatMap((noteId) => {
        const note = notes.get(noteId)
        if (note === undefined) return []
        const { folderId } = note
        return [
          { noteId, title: note.head.title, folderId: folderId ?? null, folderPath: paths.get(folderId ?? '') ?? null },
        ]
      }),
      ...describeLeftOut(damage.ids),
      total,
    }
  },
})
