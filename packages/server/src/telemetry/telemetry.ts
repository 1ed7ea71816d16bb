import type { FastifyInstance } from 'fastify'
import type { Dispatch } from '../api/dispatch.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import type { EmbeddingProvider } from '../embeddings/provider.ts'
import type { Metrics, Mirror } from '../metrics/metrics.ts'
import type { VaultIndexes } from '../vault-index/cache.ts'
import type { Post } from '../webhooks/post.ts'

/**
 * Traces and metrics for OpenTelemetry. Each function returns the same thing with spans around it, so nothing else knows about traces, and
 * without them nothing is wrapped: that costs no time. Spans have names and attributes from closed lists, and counts; never content, ids
 * or error messages.
 */
export interface Telemetry {
  /** Continues the trace of a request's caller (W3C trace context). */
  addTo(server: FastifyInstance): void
  dispatch(dispatch: Dispatch): Dispatch
  store(db: Database): Database
  indexes(indexes: VaultIndexes): VaultIndexes
  embeddings(provider: EmbeddingProvider): EmbeddingProvider
  /** Passes the trace on to the receiver. */
  post(post: Post): Post
  /** Lines get the ids of the trace and the span. */
  log(log: Log): Log
  /** Undefined if metrics aren't sent. */
  mirror: Mirror | undefined
  /** Sends what `/metrics` shows, except histograms, which `mirror` gets. */
  exportMetrics(metrics: Pick<Metrics, 'families'>): Promise<void>
  /** Sends what is left. */
  stop(): Promise<void>
}

/** Changes nothing. */
export const noTelemetry: Telemetry = {
  addTo: () => {},
  dispatch: (dispatch) => dispatch,
  store: (db) => db,
  indexes: (indexes) => indexes,
  embeddings: (provider) => provider,
  post: (post) => post,
  log: (log) => log,
  mirror: undefined,
  exportMetrics: async () => {},
  stop: async () => {},
}
