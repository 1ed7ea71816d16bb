import { z } from 'zod'
import { describeNote, exampleNote, maxContentLength, noteRecord } from '../notes/note.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { addKeyLabels } from '../operation/sent-by.ts'
import { refs } from '../calls/records.ts'
import { withoutHalfPair } from '../text/tokenize.ts'
import { noteFilters, notesPassing, openNotes } from './find-notes.ts'
import { bySetting } from '../vaults/settings.ts'
import { degradedBy, degradedLegs, hitRelevance, hitScore, noProvider, searchVault } from './search-vault.ts'

const noteRead = noteRecord
  .extend({
    score: hitScore,
    similarity: z
      .number()
      .nullable()
      .describe(
        'Similarity in meaning to the query, 0 to 1, on one scale for all models. A short turn is compared together with its neighbors in the conversation. Null if it is not among the 100 nearest, or if it or the query has no vector.',
      ),
    relevance: hitRelevance,
    matchSources: z.array(z.enum(['semantic', 'blind', 'graph'])),
    truncated: z.boolean().describe('Whether the content was cut at maxChars; read-note returns all of it.'),
  })
  .meta({ id: 'NoteRead' })

export const searchAndRead = operation({
  name: 'search-and-read',
  for: { agent: { toolset: 'notes', scopes: ['read', 'search'] } },
  vault: 'resolved',
  summary: 'Find notes by meaning, words and links, and read the best of them.',
  effect: 'read',
  input: z.object({
    query: z.string().min(1).max(10_000).describe('A question or keywords, 1 to 10,000 characters.'),
    topK: z.int().min(1).max(10).default(3).describe('How many to return, 1 to 10.'),
    threshold: bySetting(
      'threshold',
      'Minimum similarity of a semantic match, 0 to 1. Does not affect matches by words. Up to 0.4, the nearest fifth (at most 10) count too if words match little.',
    ),
    maxChars: z.int().min(1).max(maxContentLength).default(8000).describe('Maximum characters of content per note.'),
    ...noteFilters,
    ...fields.inVault,
  }),
  output: z.looseObject({
    notes: z.array(noteRead).describe('Best first.'),
    embeddingTokens: z.int(),
    searchMode: z.enum(['hybrid', 'blind_only', 'semantic_only']),
    degraded: degradedLegs,
  }),
  returns: ({ notes }) => notes.flatMap(({ noteId: id }) => refs('note', id)),
  examples: {
    input: { query: 'how do we deploy?' },
    output: {
      notes: [
        { ...exampleNote, score: 0.9, similarity: null, relevance: null, matchSources: ['blind'], truncated: false },
      ],
      embeddingTokens: 0,
      searchMode: 'blind_only',
      degraded: [noProvider],
    },
  },
  async run({ query, topK, threshold, maxChars, ...filters }, ctx) {
    const itemIds = await notesPassing(ctx, filters)
    const found = await searchVault(ctx, { query, kinds: ['note'], itemIds, topK, threshold, reranks: true })
    const { opened, places, damagedIds } = await openNotes(ctx, found.hits)
    const notes = opened.map(({ hit: { score, similarity, relevance, matchSources }, note }) => ({
      ...describeNote(note, places),
      content: beginningOf(note.content, maxChars),
      score,
      similarity,
      relevance,
      matchSources,
      truncated: note.content.length > maxChars,
    }))
    await addKeyLabels(ctx, notes)
    return {
      notes,
      embeddingTokens: found.embeddingTokens,
      searchMode: found.searchMode,
      degraded: [...found.degraded, ...degradedBy(damagedIds)],
    }
  },
})

const beginningOf = (text: string, maxChars: number): string =>
  text.length <= maxChars ? text : withoutHalfPair(text.slice(0, maxChars))
