import { z } from 'zod'
import { loopTurn } from '../core/loop-turns.ts'
import { wordTags } from '../crypto/hash.ts'
import { tagKeys } from '../crypto/keys.ts'
import type { VaultContext } from '../operation/context.ts'
import { embedQuery, keyQuery } from '../vault-index/query.ts'
import { keyEntities } from '../vault-index/live.ts'
import type { VaultIndex } from '../vault-index/vault-index.ts'
import { lacksVectors } from '../vault-index/stored/missing-store.ts'
import { explainSearch } from './explain-search.ts'
import { describeExplanation } from './explanation.ts'
import { explainReranking, explainUnranked, type DescribedSearch } from './explain-reranking.ts'
import { rerankedHits, rerankHits, unrated, type RankedHit } from './rerank-hits.ts'
import { searchIndex, type SearchLegs, type SearchRequest } from './search-index.ts'
import { defaultSettings } from '../vaults/settings.ts'
import { openSettings } from '../vaults/settings-store.ts'

/** A question to one vault. Times are milliseconds since 1970. Omitted fields don't filter. */
export interface VaultQuestion {
  query: string
  kinds: readonly ('memory' | 'note')[]
  topK: number
  /** Memory types, or `note`. */
  types?: readonly string[] | undefined
  /** An item passes with any of these. */
  entities?: readonly string[] | undefined
  /** Only these records. */
  itemIds?: ReadonlySet<string> | undefined
  minImportance?: number | undefined
  createdAfter?: number | undefined
  createdBefore?: number | undefined
  includeArchived?: boolean | undefined
  includeSuperseded?: boolean | undefined
  /** A time in the past at which the question is asked. Default: now. */
  asOf?: number | undefined
  /** Minimum similarity of a semantic hit. The vault's settings are the defaults of these three. */
  threshold?: number | undefined
  /** The threshold then has no exceptions: an empty result is better than a vague one. */
  isStrict?: boolean | undefined
  decayHalfLifeDays?: number | undefined
  /** 0 (off) to 1. */
  diversity?: number | undefined
  /** Explains the answer, including what became of these items. */
  explain?: { ids: readonly string[] } | undefined
  /** `semantic` uses vectors without words and links, except for items or questions without a vector. Default: all legs. */
  legs?: SearchLegs | undefined
  /** Whether a reranker, if there is one, reads the best records. It takes a while and may cost money. */
  reranks?: boolean | undefined
}

/** Added to every answer if no provider is configured, because results are worse than with one. */
export const noProvider = {
  leg: 'semantic' as const,
  reason: 'no embedding provider is configured: records are found by their words and links',
}

export const degradedLegs = z
  .array(z.looseObject({ leg: z.enum(['semantic', 'blind', 'graph', 'reranker']), reason: z.string() }))
  .describe('Parts of the search that could not run fully, and why.')

export const hitScore = z
  .number()
  .describe(
    'Comparable only within one answer. A record that is first in every list gets 1; links and importance can add to that. Results are sorted by it, apart from diversity, unless a reranker has rated them.',
  )

export const hitRelevance = z
  .number()
  .nullable()
  .describe(
    "How well it answers the question, by the operator's reranker and on its scale; null if none has rated it. Results are sorted by it.",
  )

export interface VaultAnswer {
  /** Best first. */
  hits: RankedHit[]
  searchMode: 'hybrid' | 'blind_only' | 'semantic_only'
  degraded: z.input<typeof degradedLegs>
  embeddingTokens: number
  semanticMatchCount: number
  blindIndexMatchCount: number
  graphExpansionCount: number
  /** The explanation of the question, and of each hit by its id, if requested. */
  explanation: DescribedSearch | undefined
}

export type SearchContext = Pick<
  VaultContext,
  'actor' | 'db' | 'instance' | 'vault' | 'indexes' | 'embeddings' | 'queryVectors' | 'reranker' | 'log' | 'now'
>

/** Reading a longer question takes a turn of its own: up to 10 ms for 10,000 characters. For short ones, turns would take longer. */
const shortChars = 500

/**
 * Searches the memories, notes or both of a vault. If there is a reranker and the question wants it, the model reads the best records and
 * decides which come first; if it fails, the answer is the same as without it, and `degraded`.
 */
export async function searchVault(ctx: SearchContext, question: VaultQuestion): Promise<VaultAnswer> {
  const { reranker } = ctx
  if (reranker === undefined || question.reranks !== true) return searchLegs(ctx, question)
  const { topK, explain } = question
  const found = await searchLegs(ctx, { ...question, topK: Math.max(topK, rerankedHits) })
  const reranking = await rerankHits({ ...ctx, reranker }, question.query, found.hits)
  if ('failure' in reranking) return withoutReranker(ctx, question, { found, ...reranking })
  const { ranked, damagedIds } = reranking
  const cutIds = ranked.slice(topK).map(({ itemId }) => itemId)
  return {
    ...found,
    hits: ranked.slice(0, topK),
    explanation:
      found.explanation && explainReranking(found.explanation, ranked, { topK, askedIds: explain?.ids ?? [] }),
    // The caller opens the returned hits, and says which of them are damaged.
    degraded: [...found.degraded, ...degradedBy(new Set(cutIds.filter((id) => damagedIds.has(id))))],
  }
}

async function withoutReranker(
  ctx: SearchContext,
  question: VaultQuestion,
  { found, failure }: { found: VaultAnswer; failure: string },
): Promise<VaultAnswer> {
  // An explanation is about as many hits as are returned, so it takes another search.
  const usual = question.explain ? await searchLegs(ctx, question) : found
  return {
    ...usual,
    hits: usual.hits.slice(0, question.topK),
    explanation: usual.explanation && explainUnranked(usual.explanation, failure),
    degraded: [...usual.degraded, { leg: 'reranker', reason: failure }],
    embeddingTokens: found.embeddingTokens,
  }
}

/**
 * Keys and embeds the question, reads the vault's index as of this request, and ranks. Decrypts no records. If the provider is down, one
 * leg is missing but the search still answers.
 */
async function searchLegs(ctx: SearchContext, question: VaultQuestion): Promise<VaultAnswer> {
  const { actor, vault, indexes, embeddings, queryVectors, log } = ctx
  const takeTurn = () => loopTurn({ userId: actor.userId, vaultId: vault.id })
  if (question.query.length > shortChars) await takeTurn()
  const keyed = keyRequest(ctx, question)
  const embedded =
    embeddings && (await embedQuery({ provider: embeddings, queryVectors, vaultId: vault.id, log }, question.query))
  const request: SearchRequest = { ...keyed, ...(embedded?.vector !== undefined && { vector: embedded.vector }) }
  const search = (index: VaultIndex) => ({
    found: question.explain
      ? explainSearch(index, request, question.explain.ids)
      : { result: searchIndex(index, request), explanation: undefined },
    // Read from the index, because the job may not have flagged these records yet.
    hasOthers: embeddings !== undefined && index.hasVectorsOfOthers(embeddings.id, embedded?.vector?.values.length),
    isWhole: embeddings !== undefined && index.itemsWithVectors(embeddings.id) === index.size,
    damaged: index.damaged.size,
  })
  const { found, hasOthers, isWhole, damaged } = await indexes.read(vault, search, takeTurn)
  // Only query the store if some items have no vectors; they may not need any. Saves 0.1 ms per search.
  const isFilling = embeddings !== undefined && (hasOthers || (!isWhole && (await lacksVectors(ctx.db.read, vault))))
  const failure = embeddings === undefined ? noProvider.reason : embedded?.failure
  const reasons = [failure, isFilling ? 'some records have no vectors of this model yet' : undefined]
  return {
    ...found.result,
    hits: found.result.hits.map(unrated),
    explanation: found.explanation && {
      question: describeExplanation(question.query, request, found.explanation, failure),
      hits: found.explanation.details,
    },
    searchMode:
      embedded?.vector === undefined ? 'blind_only' : question.legs === 'semantic' ? 'semantic_only' : 'hybrid',
    degraded: [
      ...reasons.flatMap((reason) => (reason === undefined ? [] : [{ leg: 'semantic' as const, reason }])),
      ...(damaged > 0 ? [{ leg: 'blind' as const, reason: describeDamage(damaged) }] : []),
    ],
    embeddingTokens: embedded?.tokens ?? 0,
  }
}

/** What a search says of hits that it leaves out. */
export const degradedBy = (damagedIds: ReadonlySet<string>) =>
  damagedIds.size === 0
    ? []
    : [
        {
          leg: 'blind' as const,
          reason: `records that are left out, because they are damaged: ${[...damagedIds].join(', ')}`,
        },
      ]

const describeDamage = (records: number): string =>
  `records that are not found, because their index entries are damaged: ${records} (the server's log names them)`

function keyRequest(
  { vault, now }: Pick<VaultContext, 'vault' | 'now'>,
  question: VaultQuestion,
): Omit<SearchRequest, 'vector'> {
  const keyed = (words: readonly string[]) => wordTags(tagKeys(vault.keys).words, words)
  const settings = openSettings(vault)
  const threshold = question.threshold ?? settings.threshold
  const { entities = [], asOf = now() } = question
  const { kinds, types, itemIds, minImportance, createdAfter, createdBefore } = question
  const { includeArchived = false, includeSuperseded = false } = question
  return {
    query: keyQuery(question.query, asOf, keyed),
    filter: {
      kinds,
      ...(types !== undefined && { types }),
      ...(itemIds !== undefined && { itemIds }),
      ...(minImportance !== undefined && { minImportance }),
      ...(entities.length > 0 && { entityTags: keyEntities(entities, keyed) }),
      ...(createdAfter !== undefined && { createdAfter }),
      ...(createdBefore !== undefined && { createdBefore }),
      includeArchived,
      includeSuperseded,
      asOf,
      isRetrospective: question.asOf !== undefined,
    },
    legs: question.legs ?? 'all',
    threshold,
    hasExceptions: question.isStrict !== true && threshold <= defaultSettings.threshold,
    decayHalfLifeDays: question.decayHalfLifeDays ?? settings.decayHalfLife,
    diversity: question.diversity ?? settings.diversity,
    preferNewer: settings.preferNewer,
    topK: question.topK,
  }
}
