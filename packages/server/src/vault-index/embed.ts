import type { Log } from '../core/log.ts'
import { EmbeddingError, type EmbeddingProvider } from '../embeddings/provider.ts'
import { chunkText } from '../text/chunk.ts'
import type { IndexedRecord } from './key-entry.ts'
import type { QueryVector } from './semantic-leg.ts'

/** Where vectors meet the index. A provider that is down fails neither a write nor a search; both say so. */

export interface EmbeddedRecord {
  vectors: IndexedRecord['vectors']
  /** Whether a later try may give what is not there now. A text that the model refuses will be refused again. */
  mayFollow: boolean
}

/** One vector for each chunk of the text, as far as the provider gives any. */
export async function embedRecord(
  provider: EmbeddingProvider | undefined,
  text: string,
  log: Log,
): Promise<EmbeddedRecord> {
  if (provider === undefined) return { vectors: undefined, mayFollow: true }
  const chunks = chunkText(text).filter((chunk) => chunk.trim() !== '')
  if (chunks.length === 0) return { vectors: undefined, mayFollow: false }
  try {
    const { vectors } = await provider.embed(chunks, 'document')
    return { vectors: { modelId: provider.id, chunks: vectors }, mayFollow: false }
  } catch (error) {
    if (!(error instanceof EmbeddingError)) throw error
    log.warn('a record has no vectors', { code: error.code })
    return { vectors: undefined, mayFollow: error.reason !== 'refused' }
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
