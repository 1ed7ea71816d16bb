import type { UsageOutput } from '@holdfast/client/dashboard'

export type Units = UsageOutput['months'][number]['units']

/** In the order in which they are stacked. */
export const classes = [
  { name: 'read', label: 'Reads', color: 'var(--hf-chart-1)' },
  { name: 'write', label: 'Writes', color: 'var(--hf-chart-2)' },
  { name: 'search', label: 'Searches', color: 'var(--hf-chart-3)' },
  { name: 'ingest', label: 'Ingested', color: 'var(--hf-chart-4)' },
] as const

export const sumOf = (units: Units) => classes.reduce((sum, { name }) => sum + units[name], 0)
