/** In the order in which the chart stacks them. */
export const classes = [
  { name: 'read', label: 'Reads', color: 'var(--hf-chart-1)' },
  { name: 'write', label: 'Writes', color: 'var(--hf-chart-2)' },
  { name: 'search', label: 'Searches', color: 'var(--hf-chart-3)' },
  { name: 'ingest', label: 'Ingested', color: 'var(--hf-chart-4)' },
] as const
