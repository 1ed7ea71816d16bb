import { z } from 'zod'
import { collectDamage, type OnDamage } from '../crypto/cell.ts'
import { listNewestLinksFrom } from '../links/graph-store.ts'
import { describeMemory, exampleMemory, memoryRecord, memoryTypes, type MemoryType } from '../memories/memory.ts'
import { findIntactMemories } from '../memories/store.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { addKnownLabels, nameIntegrations } from '../operation/sent-by.ts'
import { refs } from '../calls/records.ts'
import { bySetting } from '../vaults/settings.ts'
import type { Explanation } from './explain-search.ts'
import { describeScore, explanation, scoreDetails } from './explanation.ts'
import type { RankedHit } from './rerank-hits.ts'
import {
  degradedBy,
  degradedLegs,
  hitRelevance,
  hitScore,
  noProvider,
  searchVault,
  type VaultQuestion,
} from './search-vault.ts'

const searchHit = memoryRecord
  .omit({ content: true })
  .extend({
    content: z.string().optional().describe('Left out if summaryOnly is true and there is a summary.'),
    score: hitScore,
    similarity: z
      .number()
      .nullable()
      .describe(
        'Similarity in meaning to the query, 0 to 1, on one scale for all models. A short turn is compared together with its neighbors in the conversation. Null if it is not among the 100 nearest, or if it or the query has no vector.',
      ),
    relevance: hitRelevance,
    matchSources: z.array(z.enum(['semantic', 'blind', 'graph'])),
    scoreDetails: scoreDetails.optional().describe('If explain is true.'),
  })
  .meta({ id: 'MemoryHit' })

/** The question and filters of a search for memories. */
export const searchFields = {
  query: z.string().min(1).max(10_000).describe('A question or keywords, 1 to 10,000 characters.'),
  topK: z.int().min(1).max(50).default(10).describe('How many to return, 1 to 50.'),
  threshold: bySetting(
    'threshold',
    'Minimum similarity of a semantic match, 0 to 1. Does not affect matches by words. Up to 0.4, the nearest fifth (at most 10) count too if words match little.',
  ),
  memoryType: z.enum(memoryTypes).optional().describe('Only memories of this type.'),
  memoryTypes: z
    .array(z.enum(memoryTypes))
    .max(memoryTypes.length)
    .optional()
    .describe('Only memories of these types.'),
  entities: z
    .array(z.string().min(1).max(200))
    .max(20)
    .optional()
    .describe('Only memories that name at least one of these.'),
  minImportance: fields.importance.optional().describe('Only memories of this importance or higher.'),
  createdAfter: fields.timestamp.optional().describe('Only memories stored at or after this moment.'),
  createdBefore: fields.timestamp.optional().describe('Only memories stored before this moment.'),
  includeArchived: z.boolean().default(false).describe('Include archived memories.'),
  decayHalfLife: bySetting('decayHalfLife', 'Days after which the small bonus for recent memories halves.'),
  diversity: bySetting('diversity', '0: by score alone; 1: avoid similar results as far as possible.'),
  rerank: z
    .boolean()
    .default(true)
    .describe('Let the reranker read the best results if the server has one. false answers sooner.'),
  asOf: fields.timestamp
    .optional()
    .describe('The time at which the question is asked; later memories are left out. Default: now.'),
}

export const explainIds = z
  .array(z.uuid())
  .max(20)
  .optional()
  .describe('Ids of memories: explain why they are missing from the answer. At most 20. Implies explain.')

const input = z.object({
  ...searchFields,
  summaryOnly: z.boolean().default(false).describe('Return the summary instead of the content if there is one.'),
  explain: z
    .boolean()
    .default(false)
    .describe('Add scoreDetails to each hit, and an explanation of the search and of what it left out.'),
  explainIds,
  ...fields.inVault,
})

type Input = z.output<typeof input>

const { content: exampleContent, ...exampleRest } = exampleMemory

export const searchMemories = operation({
  name: 'search-memories',
  for: { agent: { toolset: 'memory', scopes: ['read', 'search'] } },
  vault: 'resolved',
  summary: 'Find memories by meaning, words and links.',
  effect: 'read',
  input,
  output: z.looseObject({
    searchMode: z.enum(['hybrid', 'blind_only', 'semantic_only']),
    memories: z.array(searchHit).describe('Best first.'),
    degraded: degradedLegs,
    unitsUsed: z.int(),
    embeddingTokens: z.int(),
    semanticMatchCount: z.int(),
    blindIndexMatchCount: z.int(),
    graphExpansionCount: z.int(),
    explanation: explanation.optional().describe('If explain is true or explainIds are given.'),
  }),
  returns: ({ memories }) => memories.flatMap(({ memoryId: id }) => refs('memory', id)),
  examples: {
    input: { query: 'tabs or spaces?', topK: 5 },
    output: {
      searchMode: 'blind_only',
      memories: [
        {
          ...exampleRest,
          content: exampleContent,
          score: 0.083,
          similarity: null,
          relevance: null,
          matchSources: ['blind'],
        },
      ],
      degraded: [noProvider],
      unitsUsed: 1,
      embeddingTokens: 0,
      semanticMatchCount: 0,
      blindIndexMatchCount: 1,
      graphExpansionCount: 0,
    },
  },
  async run(request, ctx) {
    const { explain, explainIds: ids = [] } = request
    const question = questionOf(request, explain || ids.length > 0 ? { ids } : undefined)
    const { explanation: explained, ...found } = await searchVault(ctx, question)
    const { hits, ...answer } = found
    const damage = collectDamage(ctx.instance.onDamage)
    const memories = await openHits(request, { ...ctx, ...damage }, hits, explained?.hits)
    return {
      ...answer,
      degraded: [...answer.degraded, ...degradedBy(damage.ids)],
      memories,
      unitsUsed: 1,
      ...(explained && { explanation: explained.question }),
    }
  },
})

/** The question to the vault's memories, and whether to explain it. */
export function questionOf(
  request: z.output<z.ZodObject<typeof searchFields>>,
  explain: VaultQuestion['explain'],
): VaultQuestion {
  const { query, topK, threshold, decayHalfLife, diversity, entities, minImportance, includeArchived } = request
  return {
    query,
    kinds: ['memory'],
    topK,
    types: typesOf(request),
    entities,
    minImportance,
    createdAfter: momentOf(request.createdAfter),
    createdBefore: momentOf(request.createdBefore),
    includeArchived,
    asOf: momentOf(request.asOf),
    threshold,
    decayHalfLifeDays: decayHalfLife,
    diversity,
    explain,
    reranks: request.rerank,
  }
}

const momentOf = (timestamp: string | undefined): number | undefined =>
  timestamp === undefined ? undefined : Date.parse(timestamp)

/** With both fields, both must match. An empty list, as some agents send it, does not filter. */
function typesOf({
  memoryType,
  memoryTypes: several = [],
}: Pick<Input, 'memoryType' | 'memoryTypes'>): MemoryType[] | undefined {
  if (memoryType === undefined) return several.length === 0 ? undefined : several
  return several.length === 0 || several.includes(memoryType) ? [memoryType] : []
}

/** Reads and opens only the rows of the hits, once. */
async function openHits(
  { summaryOnly }: Input,
  ctx: Pick<VaultContext, 'actor' | 'db' | 'instance' | 'vault' | 'lastUsed' | 'now'> & { onDamage: OnDamage },
  hits: readonly RankedHit[],
  explained: Explanation['details'] | undefined,
) {
  const { db, vault, lastUsed, now, onDamage } = ctx
  const ids = hits.map((hit) => hit.itemId)
  const intact = await findIntactMemories(db.read, vault, ids, onDamage)
  const memories = new Map(intact.map((memory) => [memory.memoryId, memory]))
  const writers = [...memories.values()].flatMap((one) => [one.integrationId, one.head.changedBy?.integrationId])
  const [links, integrations] = await Promise.all([
    listNewestLinksFrom(db.read, vault, ids),
    nameIntegrations(ctx, writers),
  ])
  const described = hits.flatMap(({ itemId, score, similarity, relevance, matchSources }) => {
    const memory = memories.get(itemId)
    if (memory === undefined) return []
    lastUsed.record('memories', itemId, { userId: vault.userId, vaultId: vault.id }, now())
    const { content, ...record } = describeMemory(memory, links)
    const details = explained?.get(itemId)
    return {
      ...record,
      ...((!summaryOnly || record.summary === null) && { content }),
      score,
      similarity,
      relevance,
      matchSources,
      ...(details && { scoreDetails: describeScore(details) }),
    }
  })
  addKnownLabels(integrations, described)
  return described
}
