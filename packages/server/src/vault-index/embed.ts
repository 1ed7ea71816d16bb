import type { Log } from '../core/log.ts'
import { EmbeddingError, type EmbeddingProvider } from '../embeddings/provider.ts'
import { chunkText } from '../text/chunk.ts'
import type { IndexedRecord } from './key-entry.ts'
import type { QueryVector } from './semantic-leg.ts'

/** Where vectors meet the index. A provider that is down fails neither a write nor a search; both say so. */

/** One vector for each chunk of the text; undefined where there are none to be had now. */
export async function embedRecord(
  provider: EmbeddingProvider,
  text: string,
  log: Log,
): Promise<IndexedRecord['vectors']> {
  const chunks = chunkText(text).filter((chunk) => chunk.trim() !== '')
  if (chunks.length === 0) return undefined
  try {
    const { vectors } = await provider.embed(chunks, 'document')
    return { modelId: provider.id, chunks: vectors }
  } catch (error) {
    if (!(error instanceof EmbeddingError)) throw error
    log.warn('a record was stored without vectors', { code: error.code })
    return undefined
  }
}

export interface EmbeddedQuery {
  vector: QueryVector | undefined
  tokens: number
  /** Why there is no vector, in words for the caller. */
  failure: string | undefined
}

export async function embedQuery(provider: EmbeddingProvider, query: string, log: Log): Promise<EmbeddedQuery> {
  if (query.trim() === '') return { vector: undefined, tokens: 0, failure: undefined }
  try {
    const { vectors, tokens } = await provider.embed([query], 'query')
    const [values] = vectors
    return { vector: values && { modelId: provider.id, values }, tokens, failure: undefined }
  } catch (error) {
    if (!(error instanceof EmbeddingError)) throw error
    log.warn('a search ran without vectors', { code: error.code })
    return { vector: undefined, tokens: 0, failure: `the embedding provider did not answer (${error.reason})` }
  }
}
