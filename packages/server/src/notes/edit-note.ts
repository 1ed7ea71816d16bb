import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { describeWritten, exampleLinks, personsNote, writtenNote } from './written-note.ts'
import { noteBodyLimitBytes, noteFields, noteId } from './note.ts'
import { saveNoteChange } from './save-note-change.ts'

export const editNote = operation({
  name: 'edit-note',
  for: { person: 'PATCH /api/notes' },
  vault: 'required',
  summary: 'Change a note. Fields left out stay as they are, and so does who wrote it; the last 50 versions are kept.',
  effect: 'write',
  changes: ['notes'],
  about: ({ id }) => refs('note', id),
  bodyLimitBytes: noteBodyLimitBytes,
  input: z.object({
    ...fields.ownVault,
    id: noteId,
    title: noteFields.title
      .optional()
      .describe('New title; notes that link to this one by the old title are rewritten.'),
    content: noteFields.content.optional(),
    rewriteLinks: z
      .boolean()
      .optional()
      .describe('With a new title. false: notes that link to the old one stay as they are. Default: true.'),
    tags: noteFields.tags.optional().describe('All tags from now on, at most 50.'),
    expectedVersion: fields.expectedVersion,
  }),
  output: z.looseObject({
    ...writtenNote,
    updated: z.boolean().describe('False where nothing was to change.'),
  }),
  examples: {
    input: { vaultId: personsNote.vaultId, id: personsNote.noteId, tags: ['rules'], expectedVersion: 1 },
    output: { note: { ...personsNote, tags: ['rules'], version: 2 }, ...exampleLinks, updated: true },
  },
  async run({ vaultId: _vault, id, ...change }, ctx) {
    const { note, resolved, updated } = await saveNoteChange(ctx, { noteId: id, mode: 'replace', ...change })
    return { note: await describeWritten(ctx, note), ...resolved, updated }
  },
})
