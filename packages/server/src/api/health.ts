import type { FastifyInstance } from 'fastify'
import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { notFound } from '../core/errors.ts'
import { canRead } from '../db/can-read.ts'
import type { JobReports } from '../jobs/reports.ts'
import type { Services } from '../operation/context.ts'
import { addJobMetrics } from './job-metrics.ts'
import type { QueryVectors } from '../vault-index/query.ts'

/** For operators and their tools: alive, ready, metrics. Names of operations and jobs and statuses are the only labels. */
export interface Metrics {
  observe(operation: string, status: number, ms: number): void
  text(): Promise<string>
  contentType: string
}

// Once, however many servers the process holds: what watches the collector and the loop is never taken down again.
let ofProcess: Registry | undefined

function processMetrics(): Registry {
  if (ofProcess !== undefined) return ofProcess
  ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  return ofProcess
}

export function createMetrics(jobReports: () => JobReports, queryVectors: Pick<QueryVectors, 'counts'>): Metrics {
  const registry = new Registry()
  const all = [processMetrics(), registry]
  addJobMetrics(registry, jobReports)
  addQueryMetrics(registry, queryVectors)
  const durations = new Histogram({
    name: 'holdfast_request_seconds',
    help: 'Time to answer, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5],
    registers: [registry],
  })
  return {
    observe: (operation, status, ms) => durations.observe({ operation, status: String(status) }, ms / 1000),
    text: () => Registry.merge(all).metrics(),
    contentType: registry.contentType,
  }
}

/** Counts alone: what was asked stays unsaid. */
function addQueryMetrics(registry: Registry, { counts }: Pick<QueryVectors, 'counts'>): Counter {
  return new Counter({
    name: 'holdfast_query_vectors_total',
    help: 'Questions that were embedded, and those whose vector was there from an earlier search.',
    labelNames: ['from'],
    registers: [registry],
    collect() {
      this.reset()
      this.inc({ from: 'provider' }, counts.embedded)
      this.inc({ from: 'earlier_search' }, counts.kept)
    },
  })
}

export const livenessPath = '/healthz'

interface HealthOptions {
  services: Services
  metrics: Metrics
  isStopping(): boolean
  isOperator(authorization: string | undefined): boolean
}

export function addHealthRoutes(
  server: FastifyInstance,
  { services, metrics, isStopping, isOperator }: HealthOptions,
): void {
  server.get(livenessPath, async () => ({ status: 'ok' }))
  server.get('/readyz', async (_request, reply) => {
    const isReady = !isStopping() && (await canRead(services.db))
    // Still ready: writes are kept and searches go by words.
    const degraded = services.embeddings?.failure === undefined ? [] : ['embeddings']
    return reply.status(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready', degraded })
  })
  server.get('/metrics', async (request, reply) => {
    // The socket's address, never a header: a proxy in front makes every caller local, so that it must not forward this.
    const isLocal = isLoopback(request.socket.remoteAddress) && isLocalName(request.hostname)
    if (!isLocal && !isOperator(request.headers.authorization)) throw notFound('Route')
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}

// A page that rebinds its own name to this machine comes from loopback too, but under that name.
const isLocalName = (name: string) => name === 'localhost' || name === '[::1]' || /^127\.[\d.]+$/.test(name)

const isLoopback = (address: string | undefined) => address !== undefined && /^(127\.|::1$|::ffff:127\.)/.test(address)
