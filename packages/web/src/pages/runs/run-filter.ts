import type { InputOf } from '../../api/call.ts'

/** The filter of the list, as kept in the URL. */
export const shown = { agent: '', failed: false, checkpoint: '', period: '', offset: 0 }

export type RunFilter = {
  [Name in keyof typeof shown]: (typeof shown)[Name]
}

export const pageSize = 25

export const periods = [
  { value: 'today', label: 'Today', days: 0 },
  { value: 'week', label: 'Last 7 days', days: 6 },
  { value: 'month', label: 'Last 30 days', days: 29 },
] as const

export const checkpoints = [
  { value: 'true', label: 'Saved at the end' },
  { value: 'false', label: 'Not saved' },
] as const

export const withoutFilter: Partial<RunFilter> = { ...shown }

export const isNarrowed = ({ offset: _offset, ...filter }: RunFilter) =>
  Object.entries(filter).some(([name, value]) => value !== shown[name as keyof RunFilter])

/** Ignores unknown values in the URL. Periods start at local midnight, so the query stays the same all day. */
export function inputOf(filter: RunFilter, vaultId: string, now: Date): InputOf<'list-runs'> {
  const { agent, failed, offset } = filter
  const period = periods.find(({ value }) => value === filter.period)
  const from = period && new Date(now.getFullYear(), now.getMonth(), now.getDate() - period.days)
  return {
    vaultId,
    agentId: agent === '' ? undefined : agent,
    failed: failed || undefined,
    checkpoint: ({ true: true, false: false } as Partial<Record<string, boolean>>)[filter.checkpoint],
    seenFrom: from?.toISOString(),
    limit: pageSize,
    offset,
  }
}
