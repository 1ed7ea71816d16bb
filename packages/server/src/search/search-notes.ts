import { z } from 'zod'
import { wordTags } from '../crypto/hash.ts'
import { tagKeys } from '../crypto/keys.ts'
import { describeOutline, exampleOutline, noteOutlineRecord } from '../notes/note.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { describeLeftOut, leftOut, page, pageOf } from '../operation/page.ts'
import { addKeyLabels } from '../operation/sent-by.ts'
import { snippetOf } from '../text/excerpts.ts'
import { fields as noteWordFields, searchFields } from '../vault-index/field-search.ts'
import { keyQuery } from '../vault-index/query.ts'
import { filterTest } from '../vault-index/live.ts'
import { describeInTurn, noteFilters, notesPassing, openNotes } from './find-notes.ts'

const noteMatch = noteOutlineRecord
  .extend({
    snippet: z
      .string()
      .describe(
        'The best matching part of its content, at most 200 characters; its beginning if only title or tags match.',
      ),
    score: z.number().describe('Comparable within one query only.'),
    matchedIn: z.array(z.enum(noteWordFields)).describe('Where words of the query were found.'),
  })
  .meta({ id: 'NoteMatch' })

export const searchNotes = operation({
  name: 'search-notes',
  for: { agent: { toolset: 'notes', scopes: ['read', 'search'] } },
  vault: 'resolved',
  summary: 'Find notes by the words of title, tags and content.',
  effect: 'read',
  input: z.object({
    query: z
      .string()
      .min(1)
      .max(10_000)
      .describe(
        'Words to look for, 1 to 10,000 characters. Finds notes with any of them. If there are many, only the 32 rarest count, or fewer if each is in thousands of notes.',
      ),
    ...noteFilters,
    in: z.array(z.enum(noteWordFields)).max(3).optional().describe('Where to look for the words. Default: everywhere.'),
    limit: fields.limit,
    offset: fields.offset,
    ...fields.inVault,
  }),
  output: z.looseObject({ notes: z.array(noteMatch).describe('Best first.'), ...leftOut, ...page }),
  returns: ({ notes }) => notes.flatMap(({ noteId: id }) => refs('note', id)),
  examples: {
    input: { query: 'deploying', in: ['title', 'content'] },
    output: {
      notes: [{ ...exampleOutline, snippet: 'Back up first, see Backups.', score: 4.1, matchedIn: ['title'] }],
      total: 1,
      limit: 20,
      offset: 0,
      hasMore: false,
    },
  },
  async run({ query, limit, offset, in: within = [], ...filters }, ctx) {
    const { vault, indexes, now } = ctx
    const itemIds = await notesPassing(ctx, filters)
    const asOf = now()
    const keyed = keyQuery(query, asOf, (words) => wordTags(tagKeys(vault.keys).words, words))
    const filter = {
      kinds: ['note'],
      includeArchived: false,
      asOf,
      isRetrospective: false,
      ...(itemIds && { itemIds }),
    }
    // An empty list, as some agents send it, means everywhere.
    const asked = within.length === 0 ? noteWordFields : within
    const { hits, total } = await indexes.read(vault, (index) =>
      searchFields(index, keyed, filterTest(index, filter), { within: asked, limit, offset }),
    )
    const { opened, places, damagedIds } = await openNotes(ctx, hits)
    const notes = await describeInTurn(opened, ({ hit: { score, matchedIn }, note }) => {
      const outline = describeOutline(note, places)
      return { ...outline, snippet: snippetOf(note.content, query) ?? outline.preview, score, matchedIn }
    })
    await addKeyLabels(ctx, notes)
    return { notes, ...describeLeftOut(damagedIds), ...pageOf({ limit, offset }, total) }
  },
})
