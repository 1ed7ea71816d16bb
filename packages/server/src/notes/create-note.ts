import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { makeNote } from './make-note.ts'
import { noteBodyLimitBytes, noteFields, resolvedLinks, type Note, type ResolvedLinks } from './note.ts'

const input = z.object({
  title: noteFields.title,
  content: noteFields.content.default(''),
  tags: noteFields.tags.optional(),
  folderId: noteFields.folderId.optional(),
  folderPath: noteFields.folderPath.optional(),
  externalWriteId: fields.externalWriteId.describe(
    'Idempotency key: a repeat answers with the first note and changes nothing.',
  ),
  ...fields.inVault,
})

export const createNote = operation({
  name: 'create-note',
  for: { agent: { scopes: ['write'] } },
  vault: 'resolved',
  summary: 'Write a note, in a folder if you like. [[Titles]] in its text link to other notes.',
  effect: 'write',
  changes: ['notes'],
  bodyLimitBytes: noteBodyLimitBytes,
  input,
  output: z.looseObject({
    noteId: z.uuid(),
    created: z.boolean(),
    idempotent: z.boolean().describe('True where an earlier write with the same externalWriteId answered.'),
    vaultId: z.uuid(),
    folderId: z.uuid().nullable(),
    title: z.string(),
    version: z.int(),
    ...resolvedLinks,
  }),
  returns: ({ noteId }) => refs('note', noteId),
  examples: {
    input: {
      title: 'Deploying Holdfast',
      content: 'Back up first, see [[Backups]] and [[Hosts#Staging]].',
      tags: ['operations'],
      folderPath: 'Projects/Holdfast',
    },
    output: {
      noteId: '0198c5f0-0000-7000-8000-000000000201',
      created: true,
      idempotent: false,
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      folderId: '0198c5f0-0000-7000-8000-000000000301',
      title: 'Deploying Holdfast',
      version: 1,
      links: [{ noteId: '0198c5f0-0000-7000-8000-000000000202', title: 'Backups' }],
      unresolvedLinks: ['Hosts'],
    },
  },
  created: ({ created }) => created,
  async run(asked, ctx) {
    const { note, resolved, wasCreated } = await makeNote(ctx, asked)
    return describe(note, resolved, wasCreated)
  },
})

const describe = (note: Note, resolved: ResolvedLinks, wasCreated: boolean) => ({
  noteId: note.noteId,
  created: wasCreated,
  idempotent: !wasCreated,
  vaultId: note.vaultId,
  folderId: note.folderId ?? null,
  title: note.head.title,
  version: note.version,
  ...resolved,
})
