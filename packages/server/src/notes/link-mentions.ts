import { z } from 'zod'
import { invalid, notFound, ServiceError } from '../core/errors.ts'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { findTitleMentions, linkMentions as withLinks } from '../text/find-in-text.ts'
import { canBeNamed } from './read-mentions.ts'
import { exampleNote, noteId } from './note.ts'
import type { WriterContext } from '../operation/claimed-agent.ts'
import { type NoteUpdateContext, personChanging, saveNoteChange } from './update-note.ts'
import { findNotes, getNote } from './store.ts'

const maxNotes = 20

export const linkMentions = operation({
  name: 'link-mentions',
  for: { person: 'POST /api/notes/mentions' },
  vault: 'required',
  summary: "Turn mentions of a note's title in other notes into links to it. Each changed text becomes a new version.",
  effect: 'write',
  changes: ['notes', 'links'],
  about: ({ id }) => refs('note', id),
  input: z.object({
    ...ownVault,
    id: noteId,
    noteIds: z.array(noteId).min(1).max(maxNotes).describe(`The notes whose mentions become links, 1 to ${maxNotes}.`),
  }),
  output: z.looseObject({
    notes: z.array(z.looseObject({ noteId: z.uuid(), count: z.int().describe('How many links were created in it.') })),
  }),
  examples: {
    input: { vaultId: exampleNote.vaultId, id: exampleNote.noteId, noteIds: [exampleNote.noteId] },
    output: { notes: [{ noteId: exampleNote.noteId, count: 0 }] },
  },
  async run({ id, noteIds }, ctx) {
    const named = await getNote(ctx.db.read, ctx.vault, id)
    if (!(await canBeNamed(ctx, named)))
      throw invalid({
        id: 'no link can lead to this note: an older note has its title, or a link cannot contain the title',
      })
    const sources = [...new Set(noteIds)]
    // Check all before writing any.
    if ((await findNotes(ctx.db.read, ctx.vault, sources)).length < sources.length) throw notFound('Note')
    const notes: { noteId: string; count: number }[] = []
    for (const source of sources)
      notes.push({ noteId: source, count: source === id ? 0 : await linkIn(ctx, source, named.head.title) })
    return { notes }
  },
})

const maxAttempts = 3

/** Reads the text again if someone changes it in the meantime. */
async function linkIn(ctx: NoteUpdateContext & WriterContext, source: string, title: string): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const { content, version, trashedAt } = await getNote(ctx.db.read, ctx.vault, source)
    const places = trashedAt === undefined ? findTitleMentions(content, title) : []
    if (places.length === 0) return 0
    try {
      const linked = withLinks(content, title, places)
      await saveNoteChange(
        ctx,
        { noteId: source, mode: 'replace', content: linked, expectedVersion: version },
        personChanging(ctx),
      )
      return places.length
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'conflict') || attempt === maxAttempts) throw error
    }
  }
}
