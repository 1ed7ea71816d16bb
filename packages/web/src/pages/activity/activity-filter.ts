import type { InputOf } from '../../api/call.ts'
import { describeUrl, oneOf } from '../../shell/url-state.ts'

const pageSize = 50

export const classes = [
  { value: 'content', label: 'Changes' },
  { value: 'settings', label: 'Setup' },
  { value: 'sign-in', label: 'Sign-ins' },
  { value: 'export', label: 'Exports' },
  { value: 'read', label: 'Reads' },
] as const

export const activityUrl = describeUrl(
  {
    class: oneOf(
      classes.map(({ value }) => value),
      '',
    ),
    /** A kind of actor, or an integration's id. */
    who: '',
    days: 0,
    failed: false,
    record: '',
    /** Also the calls by which agents report that a run is alive. */
    heartbeats: false,
    offset: 0,
  },
  { filters: ['class', 'who', 'days', 'failed', 'record'] },
)

export type ActivityFilter = typeof activityUrl.defaults

const actors = ['agent', 'person', 'member', 'operator', 'service', 'stranger'] as const
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const dayMs = 86_400_000

/** `dayBegan`: the start of the local day. */
export function inputOf(filter: ActivityFilter, dayBegan: number): InputOf<'list-activity'> {
  const { who, days, failed, record, heartbeats, offset } = filter
  return {
    class: filter.class === '' ? undefined : filter.class,
    actor: actors.find((one) => one === who),
    integrationId: uuid.test(who) ? who : undefined,
    recordId: uuid.test(record) ? record : undefined,
    since: days > 0 ? new Date(dayBegan - (days - 1) * dayMs).toISOString() : undefined,
    failed: failed || undefined,
    heartbeats: heartbeats ? undefined : false,
    limit: pageSize,
    offset,
  }
}
