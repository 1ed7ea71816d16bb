import { z } from 'zod'
import { keyedIn } from '../memories/find-page.ts'
import * as fields from '../operation/fields.ts'
import type { VaultContext } from '../operation/context.ts'
import { describeInTurn, openNotes } from '../search/find-notes.ts'
import { snippetBelowHeadings } from '../text/excerpts.ts'
import { isoTime } from '../core/time.ts'
import { searchFields } from '../vault-index/field-search.ts'
import { filterTest } from '../vault-index/live.ts'
import { fieldsFor, phraseTest } from '../vault-index/phrase.ts'
import { keyQuery } from '../vault-index/query.ts'

/** The notes that mention an entity. Notes have no entities of their own. */

export const maxNotes = 20

export const mentioningNote = z.looseObject({
  noteId: z.uuid(),
  title: z.string(),
  excerpt: z.string().describe('The text around the name, at most 200 characters.'),
  updatedAt: fields.timestamp,
})

export async function findMentioningNotes(
  ctx: Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'instance' | 'now'>,
  name: string,
): Promise<{ notes: z.infer<typeof mentioningNote>[]; total: number; damagedIds: ReadonlySet<string> }> {
  const keyed = keyedIn(ctx.vault)
  const asOf = ctx.now()
  const filter = { kinds: ['note'], includeArchived: false, asOf, isRetrospective: false }
  const { hits, total } = await ctx.indexes.read(ctx.vault, (index) => {
    const [passes, holds] = [filterTest(index, filter), phraseTest(index, name, keyed)]
    const asked = { within: fieldsFor(name), limit: maxNotes, offset: 0 }
    return searchFields(index, keyQuery(name, asOf, keyed), (slot) => passes(slot) && holds(slot), asked)
  })
  const { opened, damagedIds } = await openNotes(ctx, hits)
  const notes = await describeInTurn(opened, ({ note: { noteId, head, content, updatedAt } }) => ({
    noteId,
    title: head.title,
    excerpt: snippetBelowHeadings(content, name) ?? head.preview,
    updatedAt: isoTime(updatedAt),
  }))
  return { notes, total, damagedIds }
}
