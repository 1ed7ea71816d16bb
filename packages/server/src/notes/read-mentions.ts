import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { lineAround } from '../text/find-in-text.ts'
import { canBeNamed, findMentions, maxOpened } from './find-mentions.ts'
import { exampleNote, noteId } from './note.ts'
import { getNote } from './store.ts'

export const readMentions = operation({
  name: 'read-mentions',
  for: { person: 'GET /api/notes/mentions' },
  vault: 'required',
  summary: "Notes whose texts hold a note's title without linking to it, those first that the title fits best.",
  effect: 'read',
  outdatedBy: ['notes'],
  about: ({ id }) => refs('note', id),
  input: z.object({ ...ownVault, id: noteId }),
  output: z.looseObject({
    mentions: z.array(
      z.looseObject({
        noteId: z.uuid(),
        title: z.string(),
        count: z.int().describe('How often its text holds the title.'),
        excerpt: z.string().describe('What stands around the first place, at most 200 characters.'),
      }),
    ),
    linkable: z
      .boolean()
      .describe('False where no link can lead here: an older note has the title, or no link can name it.'),
    truncated: z.boolean().describe(`Whether more notes hold words of the title than the ${maxOpened} that were read.`),
  }),
  examples: {
    input: { vaultId: exampleNote.vaultId, id: exampleNote.noteId },
    output: {
      mentions: [
        {
          noteId: '0198c5f0-0000-7000-8000-000000000203',
          title: 'House rules',
          count: 1,
          excerpt: 'Nobody begins with deploying Holdfast on a Friday.',
        },
      ],
      linkable: true,
      truncated: false,
    },
  },
  async run({ id }, ctx) {
    const note = await getNote(ctx.db.read, ctx.vault, id)
    const { found, truncated } = await findMentions(ctx, note)
    return {
      mentions: found.map(({ note: { noteId: source, head, content }, places }) => ({
        noteId: source,
        title: head.title,
        count: places.length,
        excerpt: lineAround(content, { start: places[0]?.[0] ?? 0, end: places[0]?.[1] ?? 0 }),
      })),
      linkable: await canBeNamed(ctx, note),
      truncated,
    }
  },
})
