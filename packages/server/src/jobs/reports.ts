/** What became of each job in this process, for `/metrics`. Times are milliseconds since 1970. */
export interface JobReport {
  lastStartedAt: number | undefined
  lastEndedAt: number | undefined
  lastDurationMs: number | undefined
  runs: number
  failures: number
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
  items: 0,
})

export const noReports: JobReports = new Map()
