import type { InputOf } from '../../api/call.ts'
import { describeUrl, oneOf, textOf } from '../../shell/url-state.ts'

const pageSize = 25

export const periods = [
  { value: 'today', label: 'Today', days: 0 },
  { value: 'week', label: 'Last 7 days', days: 6 },
  { value: 'month', label: 'Last 30 days', days: 29 },
] as const

export const checkpoints = [
  { value: 'true', label: 'Saved at the end' },
  { value: 'false', label: 'Not saved' },
] as const

export const runUrl = describeUrl(
  {
    agent: '',
    failed: false,
    checkpoint: oneOf(
      checkpoints.map(({ value }) => value),
      '',
    ),
    period: oneOf(
      periods.map(({ value }) => value),
      '',
    ),
    offset: 0,
  },
  { filters: ['agent', 'failed', 'checkpoint', 'period'] },
)

export type RunFilter = typeof runUrl.defaults

/** Periods start at local midnight, so the query stays the same all day. */
export function inputOf(filter: RunFilter, vaultId: string, now: Date): InputOf<'list-runs'> {
  const { agent, failed, checkpoint, offset } = filter
  const period = periods.find(({ value }) => value === filter.period)
  const from = period && new Date(now.getFullYear(), now.getMonth(), now.getDate() - period.days)
  return {
    vaultId,
    agentId: textOf(agent),
    failed: failed || undefined,
    checkpoint: checkpoint === '' ? undefined : checkpoint === 'true',
    seenFrom: from?.toISOString(),
    limit: pageSize,
    offset,
  }
}
