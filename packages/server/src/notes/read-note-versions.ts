import { z } from 'zod'
import { notFound } from '../core/errors.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { page, pageOf } from '../operation/page.ts'
import { addKeyLabels } from '../operation/sent-by.ts'
import { describeSource, source } from '../operation/writer.ts'
import { exampleNote, noteId } from './note.ts'
import { getNote } from './store.ts'
import { countVersions, findVersion, listVersions, type NoteVersion } from './version-store.ts'

const versionOutline = {
  version: z.int(),
  title: z.string(),
  tags: z.array(z.string()),
  characters: z.int().describe('Length of its text in UTF-16 units.'),
  agentId: z.string().nullable().describe('Who wrote it; "user" is a person. null: an earlier release kept no names.'),
  agentRunId: z.string().nullable(),
  source,
  updatedAt: fields.timestamp.describe('When this version was written.'),
}

const exampleVersion = {
  version: 1,
  title: exampleNote.title,
  tags: [],
  characters: 14,
  agentId: 'user',
  agentRunId: null,
  source: { integrationId: null, route: 'create-note', trust: 'user_authored' as const },
  updatedAt: '2026-11-21T08:00:00.000Z',
}

export const readNoteVersions = operation({
  name: 'read-note-versions',
  for: { person: 'GET /api/notes/versions' },
  vault: 'required',
  summary:
    'List the older versions of a note, latest first, or read one with its text: the last 50, and the last one by each writer.',
  effect: 'read',
  outdatedBy: ['notes', 'links'],
  about: ({ id }) => refs('note', id),
  input: z.object({
    ...fields.ownVault,
    id: noteId,
    version: z.coerce.number().int().min(1).optional().describe('Only this version, as `version`, with its content.'),
    limit: fields.limit,
    offset: fields.offset,
  }),
  output: z.union([
    z.looseObject({ versions: z.array(z.looseObject(versionOutline)), ...page }),
    z.looseObject({ version: z.looseObject({ ...versionOutline, content: z.string() }) }),
  ]),
  examples: {
    input: { vaultId: exampleNote.vaultId, id: exampleNote.noteId },
    output: { versions: [exampleVersion], total: 1, limit: 20, offset: 0, hasMore: false },
  },
  async run({ id, version, limit, offset }, ctx) {
    const { db, vault } = ctx
    await getNote(db.read, vault, id)
    if (version !== undefined) {
      const found = await findVersion(db.read, vault, id, version)
      if (found === undefined) throw notFound('Version')
      const described = { ...describe(found), content: found.content }
      await addKeyLabels(ctx, [described])
      return { version: described }
    }
    const versions = (await listVersions(db.read, vault, id, { limit, offset })).map(describe)
    await addKeyLabels(ctx, versions)
    return { versions, ...pageOf({ limit, offset }, await countVersions(db.read, vault, id)) }
  },
})

const describe = ({ version, title, tags, content, writer, trust, updatedAt }: NoteVersion) => ({
  version,
  title,
  tags,
  characters: content.length,
  agentId: writer.agentId ?? null,
  agentRunId: writer.agentRunId ?? null,
  source: describeSource({ ...writer, trust }),
  updatedAt,
})
