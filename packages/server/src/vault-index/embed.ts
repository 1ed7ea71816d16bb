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

/** How long a write waits for all of its vectors; what takes longer is left to the job that fills them in. */
const writeBudgetMs = 5_000

/** One vector for each chunk of the text, if the provider gives them before `signal` (default: a write's budget) ends. */
export async function embedRecord(
  provider: EmbeddingProvider | undefined,
  text: string,
  log: Log,
  signal?: AbortSignal,
): Promise<EmbeddedRecord> {
  if (provider === undefined) return { vectors: undefined, mayFollow: true }
  const chunks = chunkText(text).filter((chunk) => chunk.trim() !== '')
  if (chunks.length === 0) return { vectors: undefined, mayFollow: false }
  const budget = signal ?? AbortSignal.timeout(writeBudgetMs)
  try {
    const { vectors } = await provider.embed(chunks, 'document', budget)
    const known = vectors.filter((vector) => vector !== undefined)
    return { vectors: { modelId: provider.id, chunks: known }, mayFollow: false }
  } catch (error) {
    if (!(error instanceof EmbeddingError) && !budget.aborted) throw error
    log.warn('a record has no vectors', { code: error instanceof EmbeddingError ? error.code : 'out_of_time' })
    return { vectors: undefined, mayFollow: !(error instanceof EmbeddingError && error.reason === 'refused') }
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
    if (values === undefined)
      return { vector: undefined, tokens, failure: 'the embedding model knows none of its words' }
    return { vector: { modelId: provider.id, values }, tokens, failure: undefined }
  } catch (error) {
    if (!(error instanceof EmbeddingError)) throw error
    log.warn('a search ran without vectors', { code: error.code })
    return { vector: undefined, tokens: 0, failure: `the embedding provider did not answer (${error.reason})` }
  }
}
