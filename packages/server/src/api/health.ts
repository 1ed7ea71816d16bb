import type { FastifyInstance } from 'fastify'
import { Counter, Histogram, Registry, collectDefaultMetrics, Gauge } from 'prom-client'
import { notFound } from '../core/errors.ts'
import { canRead } from '../db/can-read.ts'
import type { JobReports, JobReport } from '../jobs/reports.ts'
import type { Services } from '../operation/context.ts'
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

/** What the jobs of this process have done, read when it is asked for. Names of jobs are the only labels. */
export function addJobMetrics(registry: Registry, reports: () => JobReports): void {
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
  addCounter('items', 'How much it has got through.', (job) => job.items)
}

const inSeconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1000)

/**
 * Whether this process is overloaded, told by how long its event loop stands still. The share of time it works says nothing: a busy server
 * is never idle and still quick. Nor does the mean delay of its turns, in which one of three seconds weighs no more than one of 10 ms.
 *
 * Of a delay, what the loop's own thread worked counts. What other programs keep from it would not pass sooner if requests were refused.
 */
export interface Stall {
  /** When the loop should have had its turn, and when it had it; the time in which others had the processor left out. */
  dueMs: number
  atMs: number
}

const windowMs = 3_000
const saturatedMs = 1_800
/**
 * What a stall counts for at most, and how much of the window it takes up: one alone, however long, is no overload (a pause of the process
 * or one big piece of work is over by the time that it is seen), and after several that each fill the window the ones before still count.
 */
const mostOfOneMs = 1_000
/** Of an idle server, what is left of a full window is under the bound by then. */
export const pauseSeconds = 2

/** `stalls` in the order of time. */
export function isSaturated(stalls: readonly Stall[], nowMs: number): boolean {
  let leftMs = windowMs
  let stoodStillMs = 0
  let untilMs = nowMs
  for (const { dueMs, atMs } of stalls.toReversed()) {
    leftMs -= untilMs - atMs
    if (leftMs <= 0) break
    const countedMs = Math.min(atMs - dueMs, mostOfOneMs, leftMs)
    stoodStillMs += countedMs
    leftMs -= countedMs
    untilMs = dueMs
  }
  return stoodStillMs >= saturatedMs
}

/** A turn that comes this late is on time: turns of 375 ms in a row are the shortest that are an overload. */
const tickMs = 150
/** More do not fit into the window. */
const mostStalls = windowMs / tickMs

export interface LoopWatch {
  isSaturated(): boolean
  stop(): void
}

export function watchLoop(): LoopWatch {
  const stalls: Stall[] = []
  // A clock that stands while others have the processor: the window must not run out meanwhile.
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
    if (stalls.length > mostStalls) stalls.shift()
    dueMs = atMs + tickMs
  }, tickMs)
  timer.unref()
  return {
    isSaturated: () => isSaturated(stalls, now()),
    stop: () => clearInterval(timer),
  }
}
