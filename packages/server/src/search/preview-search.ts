import { z } from 'zod'
import { collectDamage, type OnDamage } from '../crypto/cell.ts'
import { isLive, memoryTypes, titleOf } from '../memories/memory.ts'
import { findIntactMemories } from '../memories/store.ts'
import { findIntactOutlines } from '../notes/store.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { previewOf } from '../text/excerpts.ts'
import type { Explanation } from './explain-search.ts'
import { describeScore, explanation, scoreDetails } from './explanation.ts'
import type { RankedHit } from './rerank-hits.ts'
import { explainIds, questionOf, searchFields } from './search-memories.ts'
import { degradedBy, degradedLegs, hitRelevance, hitScore, noProvider, searchVault } from './search-vault.ts'

const nodeTypes = ['note', 'memory'] as const

/** A memory or note that a search found or left out. */
const foundRecord = z
  .looseObject({
    id: z.uuid(),
    type: z.enum(nodeTypes),
    title: z.string().describe("A note's title; a memory's summary or first line, at most 200 characters."),
    memoryType: z.enum(memoryTypes).optional().describe('Only for memories.'),
    importance: z.int().optional().describe('Only for memories.'),
    live: z.boolean().describe('False if it is archived, trashed, expired or superseded.'),
    preview: z.string().describe('The beginning of its content, in one line of at most 200 characters.'),
  })
  .meta({ id: 'FoundRecord' })

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
  outdated: 1,
  newerId: null,
  place: 1,
  mmr: 1,
  position: 1,
}

export const previewedSearch = z.looseObject({
  searchMode: z.enum(['hybrid', 'blind_only', 'semantic_only']),
  hits: z
    .array(
      z.looseObject({
        id: z.uuid(),
        score: hitScore,
        similarity: z.number().nullable(),
        relevance: hitRelevance,
        matchSources: z.array(z.enum(['semantic', 'blind', 'graph'])),
        scoreDetails,
      }),
    )
    .describe('Best first.'),
  explanation,
  records: z
    .array(foundRecord)
    .describe('What to show for each hit, and for each dropped or requested record that exists.'),
  degraded: degradedLegs,
  embeddingTokens: z.int(),
  semanticMatchCount: z.int(),
  blindIndexMatchCount: z.int(),
  graphExpansionCount: z.int(),
})

export const previewSearch = operation({
  name: 'preview-search',
  for: { person: 'POST /api/search/preview' },
  vault: 'required',
  summary:
    'Search as agents do, and explain the score of each hit and why other records are missing. Does not count as a recall.',
  effect: 'read',
  input: z.object({
    ...fields.ownVault,
    ...searchFields,
    kinds: z
      .array(z.enum(nodeTypes))
      .min(1)
      .max(nodeTypes.length)
      .default(['memory'])
      .describe(
        'What to search for. Notes have no type, entities or importance, so filtering by these finds no notes.',
      ),
    explainIds: explainIds.describe(
      'Ids of memories and notes: explain why they are missing from the answer. At most 20.',
    ),
  }),
  output: previewedSearch,
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001', query: 'tabs or spaces?', topK: 5 },
    output: {
      searchMode: 'blind_only',
      hits: [
        {
          id: exampleId,
          score: 1.0608,
          similarity: null,
          relevance: null,
          matchSources: ['blind'],
          scoreDetails: exampleScore,
        },
      ],
      explanation: {
        words: [{ word: 'tab', weight: 0.5, isCounted: true, isSpeaker: false }],
        leftOut: ['or'],
        dates: [],
        semanticLeg: { ran: false, reason: noProvider.reason },
        reranker: null,
        coverage: 1,
        semanticWeight: 0,
        blindWeight: 1,
        semanticBest: null,
        blindBest: 1.35,
        rankConstant: 4,
        legDepth: 100,
        topK: 5,
        threshold: 0.4,
        thresholdCosine: null,
        decayHalfLife: 30,
        diversity: 0.7,
        preferNewer: true,
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
    if (explained === undefined) throw new RangeError('the search has no explanation')
    const { dropped, asked } = explained.question
    const ids = [...hits.map(({ itemId }) => itemId), ...[...dropped, ...asked].map(({ id }) => id)]
    const damage = collectDamage(ctx.instance.onDamage)
    const records = await describeRecords({ ...ctx, onDamage: damage.onDamage }, [...new Set(ids)])
    return {
      ...answer,
      degraded: [...answer.degraded, ...degradedBy(damage.ids)],
      hits: hits.flatMap((hit) => describeHit(hit, explained.hits)),
      explanation: explained.question,
      records,
    }
  },
})

function describeHit(
  { itemId, score, similarity, relevance, matchSources }: RankedHit,
  details: Explanation['details'],
) {
  const own = details.get(itemId)
  if (own === undefined) return []
  return [{ id: itemId, score, similarity, relevance, matchSources, scoreDetails: describeScore(own) }]
}

/** In the order of the ids, without ids that match no memory or note of the vault. */
async function describeRecords(
  { db, vault, now, onDamage }: Pick<VaultContext, 'db' | 'vault' | 'now'> & { onDamage: OnDamage },
  ids: readonly string[],
): Promise<z.input<typeof foundRecord>[]> {
  const intact = await findIntactMemories(db.read, vault, ids, onDamage)
  const memories = new Map(intact.map((memory) => [memory.memoryId, memory]))
  const outlines = await findIntactOutlines(db.read, vault, ids, onDamage)
  const notes = new Map(outlines.map((note) => [note.noteId, note]))
  return ids.flatMap((id): z.input<typeof foundRecord>[] => {
    const [memory, note] = [memories.get(id), notes.get(id)]
    if (memory !== undefined) {
      const { memoryType, importance, content } = memory
      const live = isLive(memory, now())
      return [{ id, type: 'memory', title: titleOf(memory), memoryType, importance, live, preview: previewOf(content) }]
    }
    if (note === undefined) return []
    const { title, preview } = note.head
    return [{ id, type: 'note', title, live: note.trashedAt === undefined, preview }]
  })
}
