import { z } from 'zod'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import { countLinks } from '../links/store.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { addKeyLabels } from '../operation/sent-by.ts'
import { refs } from '../calls/records.ts'
import { pathsOf } from './folder.ts'
import { resolveLinks } from './link-notes.ts'
import {
  describeNote,
  exampleNote,
  noteId,
  noteRecord,
  resolvedLinks,
  type NoteOutline,
  type NotePlace,
} from './note.ts'
import { getNote } from './store.ts'

export const readNote = operation({
  name: 'read-note',
  for: { agent: { toolset: 'notes', scopes: ['read'] }, person: 'GET /api/notes/read' },
  vault: 'resolved',
  summary: 'Read a note with its full text and what the text links to. Trashed notes are included and marked.',
  effect: 'read',
  outdatedBy: ['notes', 'links'],
  about: ({ noteId: id }) => refs('note', id),
  alias: 'noteId',
  input: z.object({ noteId, ...fields.inVault }),
  output: z.looseObject({ note: noteRecord, ...resolvedLinks }),
  returns: ({ note }) => refs('note', note.noteId),
  examples: {
    input: { noteId: exampleNote.noteId },
    output: {
      note: exampleNote,
      links: [{ noteId: '0198c5f0-0000-7000-8000-000000000202', title: 'Backups' }],
      unresolvedLinks: [],
    },
  },
  async run(asked, ctx) {
    const { db, vault, noteTitles, actor } = ctx
    const note = await getNote(db.read, vault, asked.noteId)
    // A person who opens a note may soon type a link in it.
    if (actor.kind === 'person') noteTitles.prepare(vault)
    const record = describeNote(note, await placesOf(db.read, vault, [note]))
    await addKeyLabels(ctx, [record])
    return {
      note: record,
      ...(await resolveLinks(db.read, vault, note)),
    }
  },
})

/** The folder paths and link counts of notes, for their records. */
export async function placesOf(db: Reader, scope: VaultScope, notes: readonly NoteOutline[]): Promise<NotePlace> {
  const ids = notes.map((note) => note.noteId)
  return { paths: await pathsOf(db, scope, notes), links: await countLinks(db, scope, ids) }
}
