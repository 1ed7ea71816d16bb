import type { FastifyInstance } from 'fastify'
import { Counter, Histogram, Registry, collectDefaultMetrics, Gauge } from 'prom-client'
import { notFound } from '../core/errors.ts'
import { canRead } from '../db/watch-writes.ts'
import type { JobReport, JobReports } from '../jobs/scheduler.ts'
import type { Services } from '../operation/context.ts'
import type { QueryVectors } from '../vault-index/query.ts'

/** Liveness, readiness, metrics and overload. The only metric labels are names of operations and jobs, and statuses. */
export interface Metrics {
  observe(operation: string, status: number, ms: number): void
  text(): Promise<string>
  contentType: string
}

// Once per process, because the watchers of the garbage collector and the event loop can't be removed.
let processRegistry: Registry | undefined

function processMetrics(): Registry {
  if (processRegistry !== undefined) return processRegistry
  processRegistry = new Registry()
  collectDefaultMetrics({ register: processRegistry })
  return processRegistry
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

/** Only counts, never questions. */
function addQueryMetrics(registry: Registry, { counts }: Pick<QueryVectors, 'counts'>): Counter {
  return new Counter({
    name: 'holdfast_query_vectors_total',
    help: 'Questions that were embedded, and those whose vector was cached by an earlier search.',
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
  services: Pick<Services, 'db' | 'embeddings'>
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
    // Still ready: writes are stored, and searches use words.
    const degraded = services.embeddings?.failure === undefined ? [] : ['embeddings']
    return reply.status(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready', degraded })
  })
  server.get('/metrics', async (request, reply) => {
    // The socket's address, never a header. Behind a proxy every caller is local, so the proxy must not forward this path.
    const isLocal = isLoopback(request.socket.remoteAddress) && isLocalName(request.hostname)
    if (!isLocal && !isOperator(request.headers.authorization)) throw notFound('Route')
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}

// A page that rebinds its DNS name to this machine also comes from loopback, but with that name.
const isLocalName = (name: string) => name === 'localhost' || name === '[::1]' || /^127\.[\d.]+$/.test(name)

const isLoopback = (address: string | undefined) => address !== undefined && /^(127\.|::1$|::ffff:127\.)/.test(address)

/** Metrics of this process's jobs, collected on request. The only label is the job's name. */
function addJobMetrics(registry: Registry, reports: () => JobReports): void {
  const common = { labelNames: ['job'], registers: [registry] }
  const addGauge = (name: string, help: string, valueOf: (report: JobReport) => number | undefined) =>
    new Gauge({
      ...common,
      name: `holdfast_job_${name}`,
      help,
      collect() {
        for (const [job, report] of reports()) {
          const value = valueOf(report)
          if (value !== undefined) this.set({ job }, value)
        }
      },
    })
  const addCounter = (name: string, help: string, valueOf: (report: JobReport) => number) =>
    new Counter({
      ...common,
      name: `holdfast_job_${name}_total`,
      help,
      collect() {
        this.reset()
        for (const [job, report] of reports()) this.inc({ job }, valueOf(report))
      },
    })
  addGauge('last_start_timestamp_seconds', 'When the job last began.', (job) => inSeconds(job.lastStartedAt))
  addGauge('last_end_timestamp_seconds', 'When the job last ended.', (job) => inSeconds(job.lastEndedAt))
  addGauge('last_duration_seconds', 'How long its last run took.', (job) => inSeconds(job.lastDurationMs))
  addCounter('runs', 'How often it has begun.', (job) => job.runs)
  addCounter('failures', 'How many of its runs failed.', (job) => job.failures)
  addCounter('items', 'How many items it has processed.', (job) => job.items)
}

const inSeconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1000)

/**
 * Detects overload by how long the event loop is blocked. CPU usage says nothing, because a busy server can still be fast. Nor does the
 * mean delay of its turns, in which a delay of three seconds counts no more than one of 10 ms.
 *
 * Only the time that the loop's own thread has worked counts. Refusing requests doesn't help against other programs.
 */
export interface Stall {
  /** When the loop's turn was due, and when it came, without the time in which other programs had the processor. */
  dueMs: number
  atMs: number
}

const windowMs = 3_000
const saturatedMs = 1_800
/**
 * Caps how much a stall counts and how much of the window it fills. A single stall is no overload, however long: a paused
 * process or a big piece of work is over by the time it is noticed. With the cap, stalls before several long ones still
 * count.
 */
const maxPerStallMs = 1_000
/** After this time an idle server is below the limit again. */
export const pauseSeconds = 2

/** `stalls` must be in order. */
export function isSaturated(stalls: readonly Stall[], nowMs: number): boolean {
  let leftMs = windowMs
  let stalledMs = 0
  let untilMs = nowMs
  for (const { dueMs, atMs } of stalls.toReversed()) {
    leftMs -= untilMs - atMs
    if (leftMs <= 0) break
    const countedMs = Math.min(atMs - dueMs, maxPerStallMs, leftMs)
    stalledMs += countedMs
    leftMs -= countedMs
    untilMs = dueMs
  }
  return stalledMs >= saturatedMs
}

/** A turn with this delay is on time. Back-to-back turns count as overload from 375 ms each. */
const tickMs = 150
/** More don't fit into the window. */
const maxStalls = windowMs / tickMs

export interface LoopWatch {
  isSaturated(): boolean
  stop(): void
}

export function watchLoop(): LoopWatch {
  const stalls: Stall[] = []
  // This clock stops while other programs have the processor, so that the window doesn't pass in the meantime.
  let waitedMs = 0
  const now = () => performance.now() - waitedMs
  let dueMs = now() + tickMs
  let used = process.threadCpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(used)
    used = process.threadCpuUsage()
    const lateMs = now() - dueMs
    const workedMs = Math.min(lateMs, (user + system) / 1_000)
    if (lateMs > 0) waitedMs += lateMs - workedMs
    const atMs = now()
    if (workedMs > 0) stalls.push({ dueMs: atMs - workedMs, atMs })
    if (stalls.length > maxStalls) stalls.shift()
    dueMs = atMs + tickMs
  }, tickMs)
  timer.unref()
  return {
    isSaturated: () => isSaturated(stalls, now()),
    stop: () => clearInterval(timer),
  }
}
