import { Counter, Gauge, Histogram, Registry, type MetricObjectWithValues, type MetricValue } from 'prom-client'
import type { RequestClass } from '../calls/call.ts'
import { refusals, type ErrorCode, type Refusal, ServiceError } from '../core/errors.ts'
import { EmbeddingError, type EmbeddingProvider, wrapProvider } from '../embeddings/provider.ts'
import { RerankError, type Reranker } from '../rerank/reranker.ts'
import type { Post } from '../webhooks/post.ts'
import { processMetrics } from './process-metrics.ts'

/**
 * What Prometheus reads: what the server counts as it works. `state-metrics.ts` adds what it looks up for each scrape. Labels have values
 * from our own closed lists only: names of operations and jobs, statuses, classes, reasons.
 */
export interface Metrics {
  /** For what is collected on request. */
  registry: Registry
  observe(route: ObservedRoute, status: number, ms: number): void
  /** Counts a caller that was refused. Other errors are counted by their status. */
  countRefusal(error: unknown): void
  observeWrite(ms: number): void
  countStoreFailure(): void
  watchEmbeddings(provider: EmbeddingProvider): EmbeddingProvider
  watchReranker(reranker: Reranker): Reranker
  watchPost(post: Post): Post
  text(): Promise<string>
  /** The same as objects. */
  families(): Promise<MetricObjectWithValues<MetricValue<string>>[]>
  contentType: string
}

export interface ObservedRoute {
  name: string
  /** `mcp`: a request of the protocol, which contains calls of operations. */
  limitedAs: RequestClass | 'mcp' | undefined
}

/** Records the times of a histogram a second time, elsewhere. */
export type Mirror = (histogram: Timed) => RecordTime
type RecordTime = (labels: Record<string, string>, seconds: number) => void

interface Timed {
  name: string
  help: string
  buckets: readonly number[]
}

type CreateTimer = (histogram: Timed & { labelNames?: string[] }) => RecordTime

/** A histogram in the registry, and in `mirror` if there is one. */
function createTimers(registry: Registry, mirror: Mirror | undefined): CreateTimer {
  return ({ buckets, ...rest }) => {
    const histogram = new Histogram({ ...rest, buckets: [...buckets], registers: [registry] })
    const also = mirror?.({ buckets, ...rest })
    if (also === undefined) return (labels, seconds) => histogram.observe(labels, seconds)
    return (labels, seconds) => {
      histogram.observe(labels, seconds)
      also(labels, seconds)
    }
  }
}

export function createMetrics(build: { version: string; store: string }, mirror?: Mirror): Metrics {
  const registry = new Registry()
  const all = [processMetrics(), registry]
  addBuild(registry, build)
  const createTimer = createTimers(registry, mirror)
  return {
    registry,
    ...createRequestMetrics(registry, createTimer),
    ...createStoreMetrics(registry, createTimer),
    watchEmbeddings: createEmbeddingMetrics(registry, createTimer),
    watchReranker: createRerankerMetrics(registry, createTimer),
    watchPost: createWebhookMetrics(registry, createTimer),
    text: () => Registry.merge(all).metrics(),
    families: () => Registry.merge(all).getMetricsAsJSON(),
    contentType: registry.contentType,
  }
}

function addBuild(registry: Registry, build: { version: string; store: string }): void {
  new Gauge({
    name: 'holdfast_build_info',
    help: 'Always 1. The labels say which version runs with which store.',
    labelNames: ['version', 'store'],
    registers: [registry],
  }).set(build, 1)
}

/** One histogram for each class, not for each operation and status: 14 lines each made a scrape of 276 KB. */
function createRequestMetrics(registry: Registry, createTimer: CreateTimer): Pick<Metrics, 'observe' | 'countRefusal'> {
  const registers = [registry]
  const requests = new Counter({
    name: 'holdfast_requests_total',
    help: 'Answered requests by operation and HTTP status.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const seconds = new Counter({
    name: 'holdfast_operation_seconds_total',
    help: 'Time spent on requests, by operation. Divided by their number, the mean.',
    labelNames: ['operation'],
    registers,
  })
  const durations = createTimer({
    name: 'holdfast_request_duration_seconds',
    help: 'Time to answer, by class: agents by what is limited, people, MCP requests, others.',
    labelNames: ['class'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
  })
  const refused = new Counter({
    name: 'holdfast_refusals_total',
    help: 'Refused calls by reason: credentials, permissions, limits, overload.',
    labelNames: ['reason'],
    registers,
  })
  // From zero, so that the first one is an increase.
  for (const reason of refusalReasons) refused.inc({ reason }, 0)
  return {
    observe({ name, limitedAs = 'other' }, status, ms) {
      requests.labels(name, String(status)).inc()
      seconds.labels(name).inc(ms / 1000)
      durations({ class: limitedAs }, ms / 1000)
    },
    countRefusal(error) {
      const reason = error instanceof ServiceError ? (error.refusal ?? error.code) : undefined
      if (isRefusalReason(reason)) refused.inc({ reason })
    },
  }
}

const refusingCodes = [
  'scope_denied',
  'vault_denied',
  'inactive_integration',
  'encryption_not_configured',
  'forbidden',
  'unavailable',
] as const satisfies readonly ErrorCode[]

export const refusalReasons = [...refusals, ...refusingCodes] as const

const isRefusalReason = (reason: Refusal | ErrorCode | undefined): reason is (typeof refusalReasons)[number] =>
  refusalReasons.some((known) => known === reason)

function createStoreMetrics(
  registry: Registry,
  createTimer: CreateTimer,
): Pick<Metrics, 'observeWrite' | 'countStoreFailure'> {
  const writes = createTimer({
    name: 'holdfast_store_write_duration_seconds',
    help: 'Time until a transaction was on stable storage, including its wait for the others before it.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
  })
  const failures = new Counter({
    name: 'holdfast_store_failures_total',
    help: 'Transactions that failed because of the database or its disk.',
    registers: [registry],
  })
  return { observeWrite: (ms) => writes({}, ms / 1000), countStoreFailure: () => failures.inc() }
}

function createEmbeddingMetrics(registry: Registry, createTimer: CreateTimer): Metrics['watchEmbeddings'] {
  const registers = [registry]
  const durations = createTimer({
    name: 'holdfast_embedding_duration_seconds',
    help: 'Time of calls to the embedding provider, by kind of text.',
    labelNames: ['kind'],
    buckets: [0.0005, 0.001, 0.005, 0.025, 0.1, 0.25, 0.8, 2.5, 10],
  })
  const failures = new Counter({
    name: 'holdfast_embedding_failures_total',
    help: 'Calls to the embedding provider that failed, by reason.',
    labelNames: ['reason'],
    registers,
  })
  const waiting = new Gauge({
    name: 'holdfast_embedding_queue',
    help: 'Calls that wait for the embedding provider now.',
    registers,
  })
  return (provider) =>
    wrapProvider(provider, {
      async embed(texts, kind, signal) {
        const beganAt = performance.now()
        waiting.inc()
        try {
          return await provider.embed(texts, kind, signal)
        } catch (error) {
          if (error instanceof EmbeddingError) failures.inc({ reason: error.reason })
          throw error
        } finally {
          waiting.dec()
          durations({ kind }, (performance.now() - beganAt) / 1000)
        }
      },
    })
}

function createRerankerMetrics(registry: Registry, createTimer: CreateTimer): Metrics['watchReranker'] {
  const durations = createTimer({
    name: 'holdfast_rerank_duration_seconds',
    help: 'Time of calls to the reranker.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.8, 2.5, 10],
  })
  const failures = new Counter({
    name: 'holdfast_rerank_failures_total',
    help: 'Calls to the reranker that failed, by code.',
    labelNames: ['code'],
    registers: [registry],
  })
  return (reranker) => ({
    budgetMs: reranker.budgetMs,
    get isLeftAlone() {
      return reranker.isLeftAlone
    },
    get failure() {
      return reranker.failure
    },
    async rate(query, texts) {
      const beganAt = performance.now()
      try {
        return await reranker.rate(query, texts)
      } catch (error) {
        if (error instanceof RerankError) failures.inc({ code: error.code })
        throw error
      } finally {
        durations({}, (performance.now() - beganAt) / 1000)
      }
    },
  })
}

function createWebhookMetrics(registry: Registry, createTimer: CreateTimer): Metrics['watchPost'] {
  const registers = [registry]
  const sent = new Counter({
    name: 'holdfast_webhook_requests_total',
    help: 'Requests to webhooks, including tests: accepted, refused with another status, or without an answer.',
    labelNames: ['outcome'],
    registers,
  })
  for (const outcome of ['accepted', 'refused', 'unreachable']) sent.inc({ outcome }, 0)
  const durations = createTimer({
    name: 'holdfast_webhook_request_duration_seconds',
    help: 'Time of requests to webhooks.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  })
  return (post) => async (url, request) => {
    const beganAt = performance.now()
    const outcome = await post(url, request)
    durations({}, (performance.now() - beganAt) / 1000)
    sent.inc({
      outcome: outcome.problem === undefined ? 'accepted' : outcome.status === undefined ? 'unreachable' : 'refused',
    })
    return outcome
  }
}
