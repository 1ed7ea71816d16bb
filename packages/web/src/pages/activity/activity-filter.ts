import type { InputOf } from '../../api/call.ts'

/** What the list is narrowed by, as it stands in the URL. */
export const shown = { class: '', who: '', days: 0, failed: false, record: '', offset: 0 }

export type ActivityFilter = { [Name in keyof typeof shown]: (typeof shown)[Name] }

export const pageSize = 50

export const isNarrowed = (filter: ActivityFilter) =>
  (['class', 'who', 'days', 'failed', 'record'] as const).some((name) => filter[name] !== shown[name])

export const classes = [
  { value: 'content', label: 'Changes' },
  { value: 'settings', label: 'Set-up' },
  { value: 'sign-in', label: 'Sign-ins' },
  { value: 'export', label: 'Exports' },
  { value: 'read', label: 'Reads' },
] as const

const actors = ['agent', 'person', 'operator', 'service', 'stranger'] as const
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const dayMs = 86_400_000

/** What was typed into the URL and means nothing is left out. `dayBegan`: the local day. */
export function inputOf(filter: ActivityFilter, dayBegan: number): InputOf<'list-activity'> {
  const { who, days, failed, record, offset } = filter
  return {
    class: classes.find(({ value }) => value === filter.class)?.value,
    actor: actors.find((one) => one === who),
    integrationId: uuid.test(who) ? who : undefined,
    recordId: uuid.test(record) ? record : undefined,
    since: days > 0 ? new Date(dayBegan - (days - 1) * dayMs).toISOString() : undefined,
    failed: failed || undefined,
    limit: pageSize,
    offset,
  }
}
