import { LRUCache } from 'lru-cache'
import { exactTag } from '../crypto/blind.ts'
import { createRandomKey } from '../crypto/keys.ts'
import type { EmbeddingProvider } from '../embeddings/provider.ts'

/**
 * Vectors of the questions that vaults were asked lately, so that a question that is repeated is embedded once: in memory
 * only, found by a keyed hash of vault, model and text under a key that ends with the process. By vault, not by user: how fast an
 * answer comes, and its `embeddingTokens`, must not tell a key what others asked in vaults that it cannot see.
 */
export interface QueryVectors {
  /** Rejects as the provider does, which is asked again next time. `tokens` is 0 where it was not asked. */
  vectorOf(provider: EmbeddingProvider, vaultId: string, query: string): Promise<QueryEmbedding>
  readonly counts: Readonly<QueryCounts>
}

interface QueryEmbedding {
  /** Undefined where the model knows nothing of the question. */
  vector: Float32Array | undefined
  tokens: number
}

export interface QueryCounts {
  /** Questions whose vector was there. */
  kept: number
  embedded: number
}

/** With 1,536 numbers each 12 MB. */
const mostQueries = 2_000
/** An agent repeats a question within one task; what was asked is not kept for longer than that. */
const keptForMs = 15 * 60_000

export function createQueryVectors(): QueryVectors {
  const key = createRandomKey()
  const known = new LRUCache<string, Promise<QueryEmbedding>>({ max: mostQueries, ttl: keptForMs, ttlAutopurge: true })
  const counts: QueryCounts = { kept: 0, embedded: 0 }
  return {
    counts,
    async vectorOf(provider, vaultId, query) {
      const name = exactTag(key, 'query', `${vaultId}\0${provider.id}\0${query}`).toString('base64')
      const earlier = known.get(name)
      if (earlier !== undefined) {
        const { vector } = await earlier
        counts.kept++
        return { vector, tokens: 0 }
      }
      // Before there is an answer, so that equal questions at once are one as well.
      const embedding = embed(provider, query)
      known.set(name, embedding)
      try {
        const embedded = await embedding
        counts.embedded++
        return embedded
      } catch (error) {
        known.delete(name)
        throw error
      }
    },
  }
}

async function embed(provider: EmbeddingProvider, query: string): Promise<QueryEmbedding> {
  const { vectors, tokens } = await provider.embed([query], 'query')
  return { vector: vectors[0], tokens }
}
