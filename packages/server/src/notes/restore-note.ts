import { z } from 'zod'
import type { WriteTime } from '../core/time.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { exampleNote, noteId, resolvedLinks, type Note } from './note.ts'
import { personChanging, saveNoteChange, storeUpdate } from './update-note.ts'

export const restoreNote = operation({
  name: 'restore-note',
  for: { person: 'POST /api/notes/restore' },
  vault: 'required',
  summary:
    'Restore a note from the trash. Links to its title lead to it again, unless an older note has the same title.',
  effect: 'write',
  changes: ['notes'],
  about: ({ noteId: id }) => refs('note', id),
  alias: 'noteId',
  input: z.object({ ...ownVault, noteId }),
  output: z.looseObject({
    noteId: z.uuid(),
    restored: z.boolean().describe('False if the note was not in the trash.'),
    version: z.int(),
    vaultId: z.uuid(),
    ...resolvedLinks,
  }),
  examples: {
    input: { vaultId: exampleNote.vaultId, noteId: exampleNote.noteId },
    output: {
      noteId: exampleNote.noteId,
      restored: true,
      version: 3,
      vaultId: exampleNote.vaultId,
      links: [],
      unresolvedLinks: ['Backups'],
    },
  },
  async run({ noteId: id, vaultId }, ctx) {
    const { note, resolved, updated } = await saveNoteChange(
      ctx,
      { noteId: id, mode: 'replace', trashed: false },
      personChanging(ctx),
    )
    return { noteId: id, restored: updated, version: note.version, vaultId, ...resolved }
  },
})

/** Restores a trashed note in a transaction: its own links, and the links to its title if it is the oldest note with that title. */
export async function restoreTrashed(tx: Tx, scope: VaultScope, { seq, at }: WriteTime, before: Note): Promise<Note> {
  const after = { ...before, trashedAt: undefined, updatedAt: at, version: before.version + 1 }
  await storeUpdate(tx, scope, seq, { before, after, entry: undefined, rewrites: [] })
  return after
}
