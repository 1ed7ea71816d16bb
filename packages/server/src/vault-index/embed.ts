import type { VaultScope } from '../crypto/keys.ts'
import type { Log } from '../core/log.ts'
import { embedApart } from '../embeddings/embed-apart.ts'
import { EmbeddingError, type EmbeddingProvider } from '../embeddings/provider.ts'
import { inPieces } from '../core/in-pieces.ts'
import { chunking } from '../text/split-text.ts'
import type { IndexedRecord } from './key-entry.ts'
import type { QueryVectors } from './query-vectors.ts'
import type { QueryVector } from './semantic-leg.ts'
import type { VectorFacts } from './store.ts'

/** Where vectors meet the index. A provider that is down fails neither a write nor a search; both say so. */

/** What search needs of a record, made before the transaction opens: embedding may take a network call. */
export interface PreparedEntry {
  bytes: Uint8Array
  facts: VectorFacts
}

/** What the making of an entry needs. `later` leaves the vectors to the job that fills them in. */
export interface Indexing {
  vault: VaultScope
  embeddings: EmbeddingProvider | 'later' | undefined
  log: Log
}

interface EmbeddedRecord {
  vectors: IndexedRecord['vectors']
  /** What is stored of it. A record waits where a later try may give what is not there now; a text that the model refuses will be refused again. */
  facts: VectorFacts
}

const seenBy = (model: string): VectorFacts => ({ vectorsMissing: 0, vectorModel: model })
const waiting: VectorFacts = { vectorsMissing: 1, vectorModel: null }
/** Once a provider is configured, the job that fills vectors in finds what none has seen. */
const unseen: VectorFacts = { vectorsMissing: 0, vectorModel: null }

/** How long a write waits for all of its vectors; what takes longer is left to the job that fills them in. */
const writeBudgetMs = 5_000

/** The parts of a text that get a vector each. */
export const chunksOf = async (text: string): Promise<string[]> =>
  (await inPieces(chunking(text))).filter((chunk) => chunk.trim() !== '')

/** One vector for each chunk of the text, if the provider gives them before `signal` (default: a write's budget) ends. */
export async function embedRecord(
  provider: Indexing['embeddings'],
  text: string,
  log: Log,
  signal?: AbortSignal,
): Promise<EmbeddedRecord> {
  if (provider === undefined) return { vectors: undefined, facts: unseen }
  if (provider === 'later') return { vectors: undefined, facts: waiting }
  const chunks = await chunksOf(text)
  if (chunks.length === 0) return { vectors: undefined, facts: seenBy(provider.id) }
  const budget = startBudget(writeBudgetMs, signal)
  try {
    const { vectors, refusal } = await embedApart(provider, chunks, budget.signal)
    if (refusal !== undefined) log.warn('the embedding model does not take some text of a record', { code: refusal })
    const known = vectors.filter((vector) => vector !== undefined)
    return { vectors: { modelId: provider.id, chunks: known }, facts: seenBy(provider.id) }
  } catch (error) {
    if (!(error instanceof EmbeddingError) && !budget.signal.aborted) throw error
    log.warn('a record has no vectors', { code: error instanceof EmbeddingError ? error.code : 'out_of_time' })
    return { vectors: undefined, facts: waiting }
  } finally {
    budget.stop()
  }
}

/** `given`, or a signal that ends after so long. Not AbortSignal.timeout: its timer would outlive each write by seconds. */
function startBudget(ms: number, given: AbortSignal | undefined): { signal: AbortSignal; stop: () => void } {
  if (given !== undefined) return { signal: given, stop: () => {} }
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), ms)
  return { signal: controller.signal, stop: () => clearTimeout(timer) }
}

export interface EmbeddedQuery {
  vector: QueryVector | undefined
  /** 0 also where the vector was there from an earlier search. */
  tokens: number
  /** Why there is no vector, in words for the caller. */
  failure: string | undefined
}

interface Asking {
  provider: EmbeddingProvider
  queryVectors: QueryVectors
  vaultId: string
  log: Log
}

export async function embedQuery(
  { provider, queryVectors, vaultId, log }: Asking,
  query: string,
): Promise<EmbeddedQuery> {
  if (query.trim() === '') return { vector: undefined, tokens: 0, failure: undefined }
  try {
    const { vector: values, tokens } = await queryVectors.vectorOf(provider, vaultId, query)
    if (values === undefined)
      return { vector: undefined, tokens, failure: 'the embedding model knows none of its words' }
    return { vector: { modelId: provider.id, values, calibration: provider.calibration }, tokens, failure: undefined }
  } catch (error) {
    if (!(error instanceof EmbeddingError)) throw error
    log.warn('a search ran without vectors', { code: error.code })
    return { vector: undefined, tokens: 0, failure: `the embedding provider did not answer (${error.reason})` }
  }
}
