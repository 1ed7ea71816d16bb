import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import { isoTime } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { noteBodyLimitBytes, noteFields, noteId, resolvedLinks, type Note, type ResolvedLinks } from './note.ts'
import { saveNoteChange } from './save-note-change.ts'

const edit = z.object({
  find: z.string().min(1).max(500_000).describe('A passage that occurs exactly once.'),
  replace: z.string().max(500_000).describe('What takes its place.'),
})

const input = z.object({
  noteId,
  title: noteFields.title.optional().describe('New title; notes that link to this one by the old title are rewritten.'),
  content: noteFields.content.optional(),
  mode: z
    .enum(['replace', 'append', 'prepend'])
    .default('replace')
    .describe('Whether content replaces the text or is put behind or before it, as it is.'),
  edits: z
    .array(edit)
    .min(1)
    .max(100)
    .optional()
    .describe(
      'Changes within the text, one after the other, in place of content; 1 to 100. Times the length of the note at most 5,000,000 characters.',
    ),
  tags: noteFields.tags.optional().describe('All tags from now on, at most 50.'),
  trashed: z
    .literal(false, 'must be false, which restores; use delete-note to trash')
    .optional()
    .describe('false restores a trashed note; delete-note trashes.'),
  expectedVersion: fields.expectedVersion,
  ...fields.inVault,
})

export const updateNote = operation({
  name: 'update-note',
  for: { agent: { scopes: ['write'] } },
  vault: 'resolved',
  summary: 'Change a note, or restore a trashed one. Fields left out stay as they are; the last 50 versions are kept.',
  effect: 'write',
  changes: ['notes'],
  about: ({ noteId: id }) => refs('note', id),
  alias: 'noteId',
  bodyLimitBytes: noteBodyLimitBytes,
  input,
  output: z.looseObject({
    noteId: z.uuid(),
    updated: z.boolean().describe('False where nothing was to change.'),
    version: z.int(),
    vaultId: z.uuid(),
    updatedAt: fields.timestamp,
    ...resolvedLinks,
  }),
  examples: {
    input: {
      noteId: '0198c5f0-0000-7000-8000-000000000201',
      content: 'Back up first, see [[Backups]]. Checked on Monday.',
      tags: ['operations', 'checked'],
    },
    output: {
      noteId: '0198c5f0-0000-7000-8000-000000000201',
      updated: true,
      version: 2,
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      updatedAt: '2026-11-21T09:30:00.000Z',
      links: [{ noteId: '0198c5f0-0000-7000-8000-000000000202', title: 'Backups' }],
      unresolvedLinks: [],
    },
  },
  async run(change, ctx) {
    if (change.content !== undefined && change.edits !== undefined)
      throw invalid({ content: 'give content or edits, not both' })
    const { note, resolved, updated } = await saveNoteChange(ctx, change)
    return describe(note, resolved, updated)
  },
})

const describe = (note: Note, resolved: ResolvedLinks, updated: boolean) => ({
  noteId: note.noteId,
  updated,
  version: note.version,
  vaultId: note.vaultId,
  updatedAt: isoTime(note.updatedAt),
  ...resolved,
})
