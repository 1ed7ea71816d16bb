import type { UsageOutput } from '@holdfast/client/dashboard'

/** What was used in the month that runs; undefined where there was nothing yet. */
export const monthThatRuns = ({ months, resetsAt }: UsageOutput): UsageOutput['months'][number] | undefined =>
  months.find(({ month }) => month === monthBefore(resetsAt))

const monthBefore = (iso: string) => new Date(Date.parse(iso) - 1).toISOString().slice(0, 7)
