import type { VaultScope } from '../crypto/keys.ts'
import { z } from 'zod'
import type { Reader } from '../db/dialect.ts'
import { countLinks } from '../links/store.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { pathsOf } from './folder.ts'
import { describeNote, exampleNote, noteId, noteRecord, type NoteOutline, type NotePlace } from './note.ts'
import { getNote } from './store.ts'

export const readNote = operation({
  name: 'read-note',
  for: { agent: { scopes: ['read'] } },
  vault: 'resolved',
  summary: 'Read a note whole, a trashed one too, which is marked.',
  effect: 'read',
  about: ({ noteId: id }) => refs('note', id),
  alias: 'noteId',
  input: z.object({ noteId, ...fields.inVault }),
  output: z.looseObject({ note: noteRecord }),
  returns: ({ note }) => refs('note', note.noteId),
  examples: { input: { noteId: exampleNote.noteId }, output: { note: exampleNote } },
  async run(asked, { db, vault }) {
    const note = await getNote(db.read, vault, asked.noteId)
    return { note: describeNote(note, await placesOf(db.read, vault, [note])) }
  },
})

/** Where notes lie and how they are linked, for their records. */
export async function placesOf(db: Reader, scope: VaultScope, notes: readonly NoteOutline[]): Promise<NotePlace> {
  const ids = notes.map((note) => note.noteId)
  return { paths: await pathsOf(db, scope, notes), links: await countLinks(db, scope, ids) }
}
