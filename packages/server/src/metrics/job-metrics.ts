import { Counter, Gauge, type Registry } from 'prom-client'
import type { JobReport, JobReports } from '../jobs/scheduler.ts'

/** Metrics of this process's jobs, collected on request. The label isn't `job`: that is what Prometheus calls its targets. */
export function addJobMetrics(registry: Registry, reports: () => JobReports): void {
  const common = { labelNames: ['job_name'], registers: [registry] }
  const addGauge = (metric: string, help: string, valueOf: (report: JobReport) => number | undefined) =>
    new Gauge({
      ...common,
      name: `holdfast_job_${metric}`,
      help,
      collect() {
        for (const [name, report] of reports()) {
          const value = valueOf(report)
          if (value !== undefined) this.set({ job_name: name }, value)
        }
      },
    })
  const addCounter = (metric: string, help: string, valueOf: (report: JobReport) => number) =>
    new Counter({
      ...common,
      name: `holdfast_job_${metric}_total`,
      help,
      collect() {
        this.reset()
        for (const [name, report] of reports()) this.inc({ job_name: name }, valueOf(report))
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
