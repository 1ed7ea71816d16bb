import { z } from 'zod'
import { nodeTypes } from '../graph/nodes.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import type { Explanation } from '../search/explain-search.ts'
import { describeScore, explanation, scoreDetails } from '../search/explanation.ts'
import type { SearchHit } from '../search/search-index.ts'
import { explainIds, questionOf, searchFields } from '../search/search-memories.ts'
import { degradedLegs, hitScore, noProvider, searchVault } from '../search/search-vault.ts'
import { describeRecords, foundRecord } from './found-records.ts'

const exampleId = '0198c5f0-0000-7000-8000-000000000101'
const exampleText = 'The user prefers tabs over spaces in Go code.'
const exampleScore = {
  semanticRank: null,
  blindRank: 1,
  graphRank: null,
  semanticScore: null,
  blindScore: 4.2,
  cosine: null,
  dateFactor: 1,
  speakerFactor: 1,
  semanticPart: 0,
  blindPart: 1,
  lent: 0,
  rrf: 1,
  decay: 1.04,
  importance: 1.02,
  place: 1,
  mmr: 1,
  position: 1,
}

export const explainSearch = operation({
  name: 'explain-search',
  for: { person: 'POST /api/search/explain' },
  vault: 'required',
  summary:
    'A search as agents make it, with what made the score of each hit and what kept others out. It counts as no recall.',
  effect: 'read',
  input: z.object({
    ...fields.ownVault,
    ...searchFields,
    kinds: z
      .array(z.enum(nodeTypes))
      .min(1)
      .max(nodeTypes.length)
      .default(['memory'])
      .describe('What to look for. Types, entities and importance are of memories: with these no note is found.'),
    explainIds: explainIds.describe(
      'Memories and notes of which the explanation shall say why they are not in the answer, at most 20.',
    ),
  }),
  output: z.looseObject({
    searchMode: z.enum(['hybrid', 'blind_only', 'semantic_only']),
    hits: z
      .array(
        z.looseObject({
          id: z.uuid(),
          score: hitScore,
          similarity: z.number().nullable(),
          matchSources: z.array(z.enum(['semantic', 'blind', 'graph'])),
          scoreDetails,
        }),
      )
      .describe('Best first.'),
    explanation,
    records: z
      .array(foundRecord)
      .describe('The hits, and what of the dropped and asked ones is there: what to show of each.'),
    degraded: degradedLegs,
    embeddingTokens: z.int(),
    semanticMatchCount: z.int(),
    blindIndexMatchCount: z.int(),
    graphExpansionCount: z.int(),
  }),
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001', query: 'tabs or spaces?', topK: 5 },
    output: {
      searchMode: 'blind_only',
      hits: [{ id: exampleId, score: 1.0608, similarity: null, matchSources: ['blind'], scoreDetails: exampleScore }],
      explanation: {
        words: [{ word: 'tab', weight: 0.5, isCounted: true, isSpeaker: false }],
        leftOut: ['or'],
        dates: [],
        semanticLeg: { ran: false, reason: noProvider.reason },
        coverage: 1,
        semanticWeight: 0,
        blindWeight: 1,
        rankConstant: 4,
        legDepth: 100,
        topK: 5,
        threshold: 0.4,
        thresholdCosine: null,
        decayHalfLife: 30,
        diversity: 0.7,
        dropped: [],
        asked: [],
      },
      records: [
        {
          id: exampleId,
          type: 'memory',
          title: exampleText,
          memoryType: 'preference',
          importance: 4,
          live: true,
          preview: exampleText,
        },
      ],
      degraded: [noProvider],
      embeddingTokens: 0,
      semanticMatchCount: 0,
      blindIndexMatchCount: 1,
      graphExpansionCount: 0,
    },
  },
  async run(request, ctx) {
    const question = questionOf(request, { ids: request.explainIds ?? [] })
    const found = await searchVault(ctx, { ...question, kinds: request.kinds })
    const { hits, explanation: explained, ...answer } = found
    if (explained === undefined) throw new RangeError('an explanation was asked for')
    const { dropped, asked } = explained.question
    const ids = [...hits.map(({ itemId }) => itemId), ...[...dropped, ...asked].map(({ id }) => id)]
    return {
      ...answer,
      hits: hits.flatMap((hit) => describeHit(hit, explained.hits)),
      explanation: explained.question,
      records: await describeRecords(ctx, [...new Set(ids)]),
    }
  },
})

function describeHit({ itemId, score, similarity, matchSources }: SearchHit, details: Explanation['details']) {
  const own = details.get(itemId)
  return own === undefined ? [] : [{ id: itemId, score, similarity, matchSources, scoreDetails: describeScore(own) }]
}
