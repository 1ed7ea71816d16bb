import { Counter, Histogram, Registry, collectDefaultMetrics, Gauge } from 'prom-client'
import type { JobReport, JobReports } from '../jobs/scheduler.ts'
import type { QueryVectors } from '../vault-index/query.ts'

/** What Prometheus reads. The only labels are names of operations and jobs, and statuses. */
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
