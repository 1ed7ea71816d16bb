import type { InputOf } from '../../api/call.ts'
import { describeUrl, oneOf, textOf } from '../../shell/url-state.ts'

const pageSize = 25

export const periods = [
  { value: 'today', label: 'Today', days: 0 },
  { value: 'week', label: 'Last 7 days', days: 6 },
  { value: 'month', label: 'Last 30 days', days: 29 },
] as const

/** How a run went, each with its fields of the input. */
export const outcomes = [
  { value: 'open', label: 'Not ended', input: { ended: false } },
  { value: 'ended', label: 'Ended', input: { ended: true } },
  { value: 'errors', label: 'With errors', input: { failed: true } },
  { value: 'saved', label: 'Checkpoint saved', input: { checkpoint: true } },
  { value: 'unsaved', label: 'No checkpoint', input: { checkpoint: false } },
] as const

export const runUrl = describeUrl(
  {
    agent: '',
    outcome: oneOf(
      outcomes.map(({ value }) => value),
      '',
    ),
    period: oneOf(
      periods.map(({ value }) => value),
      '',
    ),
    offset: 0,
  },
  { filters: ['agent', 'outcome', 'period'] },
)

export type RunFilter = typeof runUrl.defaults

/** Periods start at local midnight, so the query stays the same all day. */
export function inputOf(filter: RunFilter, vaultId: string, now: Date): InputOf<'list-runs'> {
  const { agent, outcome, offset } = filter
  const period = periods.find(({ value }) => value === filter.period)
  const from = period && new Date(now.getFullYear(), now.getMonth(), now.getDate() - period.days)
  return {
    vaultId,
    agentId: textOf(agent),
    ...outcomes.find(({ value }) => value === outcome)?.input,
    seenFrom: from?.toISOString(),
    limit: pageSize,
    offset,
  }
}
