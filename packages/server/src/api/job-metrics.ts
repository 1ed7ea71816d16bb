import { Counter, Gauge, type Registry } from 'prom-client'
import type { JobReport, JobReports } from '../jobs/reports.ts'

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
