import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { addKeyLabels } from '../operation/sent-by.ts'
import { refs } from '../calls/records.ts'
import { describeNote, exampleNote, noteRecord } from './note.ts'
import { placesOf } from './read-note.ts'
import { findNotes } from './store.ts'

export const readNotes = operation({
  name: 'read-notes',
  for: { agent: { toolset: 'notes', scopes: ['read'] } },
  vault: 'resolved',
  summary: 'Read notes by id with their full texts. Trashed notes are included and marked.',
  effect: 'read',
  alias: 'noteIds',
  input: z.object({
    noteIds: z.array(z.uuid()).min(1).max(50).describe('Ids of the notes, 1 to 50.'),
    ...fields.inVault,
  }),
  output: z.looseObject({
    notes: z.array(noteRecord).describe('In the requested order.'),
    notFound: z.array(z.uuid()).describe('Ids that match no note in this vault.'),
  }),
  returns: ({ notes }) => notes.flatMap(({ noteId: id }) => refs('note', id)),
  examples: { input: { noteIds: [exampleNote.noteId] }, output: { notes: [exampleNote], notFound: [] } },
  async run({ noteIds }, ctx) {
    const { db, vault, about } = ctx
    const ids = [...new Set(noteIds)]
    const found = await findNotes(db.read, vault, ids)
    const places = await placesOf(db.read, vault, found)
    const byId = new Map(found.map((note) => [note.noteId, note]))
    about('note', [...byId.keys()])
    const notes = ids.flatMap((id) => byId.get(id) ?? []).map((note) => describeNote(note, places))
    await addKeyLabels(ctx, notes)
    return {
      notes,
      notFound: ids.filter((id) => !byId.has(id)),
    }
  },
})
