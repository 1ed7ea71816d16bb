import type { FailingJob } from '../operation/context.ts'

/** What became of each job in this process, for `/metrics`. Times are milliseconds since 1970. */
export interface JobReport {
  lastStartedAt: number | undefined
  lastEndedAt: number | undefined
  lastDurationMs: number | undefined
  runs: number
  failures: number
  /** Whether its last run failed. */
  isFailing: boolean
  /** Records, vaults or rows that it has dealt with: what, each job says. */
  items: number
}

export type JobReports = ReadonlyMap<string, Readonly<JobReport>>

export const newReport = (): JobReport => ({
  lastStartedAt: undefined,
  lastEndedAt: undefined,
  lastDurationMs: undefined,
  runs: 0,
  failures: 0,
  isFailing: false,
  items: 0,
})

export const noReports: JobReports = new Map()

export const failingJobs = (reports: JobReports): FailingJob[] =>
  [...reports].flatMap(([name, { isFailing, failures }]) => (isFailing ? [{ name, failures }] : []))
