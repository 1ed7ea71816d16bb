import { z } from 'zod'
import { embeddedText } from '../notes/save-note.ts'
import { describeOutline, exampleOutline, noteOutlineRecord, type Note } from '../notes/note.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { addKeyLabels } from '../operation/sent-by.ts'
import { refs } from '../calls/records.ts'
import { chunkText } from '../text/split-text.ts'
import { snippetOf } from '../text/excerpts.ts'
import { describeInTurn, noteFilters, notesPassing, openNotes } from './find-notes.ts'
import type { SearchHit } from './search-index.ts'
import { degradedBy, degradedLegs, hitScore, searchVault } from './search-vault.ts'

const noteHit = noteOutlineRecord
  .extend({
    score: hitScore,
    similarity: z
      .number()
      .nullable()
      .describe(
        'Similarity in meaning between the query and the excerpt, 0 to 1, on one scale for all models; null if it was found by words.',
      ),
    excerpt: z.string().describe('The part of the note that is nearest to the query, about 150 words at most.'),
  })
  .meta({ id: 'NoteHit' })

export const semanticSearch = operation({
  name: 'semantic-search',
  for: { agent: { toolset: 'notes', scopes: ['read', 'search'] } },
  vault: 'resolved',
  summary: 'Find notes by meaning.',
  effect: 'read',
  input: z.object({
    query: z.string().min(1).max(10_000).describe('A question or keywords, 1 to 10,000 characters.'),
    topK: z.int().min(1).max(50).default(10).describe('How many to return, 1 to 50.'),
    threshold: z.number().min(0).max(1).default(0.5).describe('Minimum similarity, 0 to 1.'),
    ...noteFilters,
    ...fields.inVault,
  }),
  output: z.looseObject({
    notes: z.array(noteHit).describe('Best first.'),
    embeddingTokens: z.int(),
    searchMode: z
      .enum(['semantic_only', 'blind_only'])
      .describe('`blind_only` if the query has no vector. Then notes are found by words, and `degraded` says why.'),
    degraded: degradedLegs,
  }),
  returns: ({ notes }) => notes.flatMap(({ noteId: id }) => refs('note', id)),
  examples: {
    input: { query: 'how do we get a release onto the servers?', topK: 5 },
    output: {
      notes: [{ ...exampleOutline, score: 1, similarity: 0.71, excerpt: 'Back up first, see [[Backups]].' }],
      embeddingTokens: 9,
      searchMode: 'semantic_only',
      degraded: [],
    },
  },
  async run({ query, topK, threshold, ...filters }, ctx) {
    const itemIds = await notesPassing(ctx, filters)
    const question = { query, kinds: ['note' as const], itemIds, topK, threshold, legs: 'semantic' as const }
    const { hits, searchMode, degraded, embeddingTokens } = await searchVault(ctx, question)
    const { opened, places, damagedIds } = await openNotes(ctx, hits)
    const notes = await describeInTurn(opened, ({ hit, note }) => ({
      ...describeOutline(note, places),
      score: hit.score,
      similarity: hit.similarity,
      excerpt: excerptOf(note, hit, query),
    }))
    await addKeyLabels(ctx, notes)
    return {
      notes,
      embeddingTokens,
      searchMode: searchMode === 'blind_only' ? ('blind_only' as const) : ('semantic_only' as const),
      degraded: [...degraded, ...degradedBy(damagedIds)],
    }
  },
})

/** The nearest chunk. If the note changed since, it may no longer exist. */
function excerptOf(note: Note, { chunk }: SearchHit, query: string): string {
  const chunks = chunk === null ? [] : chunkText(embeddedText(note))
  return chunks[chunk ?? 0] ?? snippetOf(note.content, query) ?? note.head.preview
}
