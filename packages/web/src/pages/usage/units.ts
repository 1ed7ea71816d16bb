import type { Usage } from './usage-parts.ts'

/** In the order in which the chart stacks them. */
export const classes = [
  { name: 'read', label: 'Reads', color: 'var(--hf-chart-1)' },
  { name: 'write', label: 'Writes', color: 'var(--hf-chart-2)' },
  { name: 'search', label: 'Searches', color: 'var(--hf-chart-3)' },
  { name: 'ingest', label: 'Turns and checkpoints', color: 'var(--hf-chart-4)' },
] as const

/** The use of the current month; undefined if there is none yet. */
export const currentMonth = ({ months, resetsAt }: Usage<'units'>): Usage<'units'>['months'][number] | undefined =>
  months.find(({ month }) => month === monthBefore(resetsAt))

const monthBefore = (iso: string) => new Date(Date.parse(iso) - 1).toISOString().slice(0, 7)
