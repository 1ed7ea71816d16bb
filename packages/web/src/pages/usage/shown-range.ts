import { describeUrl, oneOf } from '../../shell/url-state.ts'
import type { UsageInput } from './usage-parts.ts'

export const ranges = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: 'month', label: 'This month' },
  { value: 'own', label: 'Custom' },
] as const

export const longestPreset = '90'

export const buckets = [
  { value: 'day', label: 'By day' },
  { value: 'week', label: 'By week' },
  { value: 'month', label: 'By month' },
] as const

export const usageUrl = describeUrl({
  range: oneOf(
    ranges.map(({ value }) => value),
    '30',
  ),
  /** The first and last day of the range `own`. */
  from: '',
  to: '',
  bucket: oneOf(
    buckets.map(({ value }) => value),
    'day',
  ),
  agent: '',
  operation: '',
})

export type Shown = typeof usageUrl.defaults

const dayMs = 86_400_000
const maxDays = 400

export interface Range {
  from: string
  to: string
  bucket: (typeof buckets)[number]['value']
}

/** The days in UTC, or the problem with custom ones. */
export function rangeOf({ range, from, to, bucket }: Shown, nowMs: number): Range | { problem: string } {
  const today = dayOf(nowMs)
  if (range === 'month') return { from: `${today.slice(0, 7)}-01`, to: today, bucket }
  if (range !== 'own') {
    const days = range === '7' || range === '90' ? Number(range) : 30
    return { from: dayOf(nowMs - (days - 1) * dayMs), to: today, bucket }
  }
  if (!isDay(from) || !isDay(to)) return { problem: 'Choose a first and a last day.' }
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (days < 1) return { problem: 'The first day is after the last day.' }
  if (days > maxDays) return { problem: `Choose up to ${maxDays} days. Older calls are deleted.` }
  return { from, to, bucket }
}

const isDay = (text: string) => /^2\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
export const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Ignores invalid values in the URL. */
export const callsInput = ({ agent, operation }: Shown, range: Range, by: 'operation' | 'agent'): UsageInput => ({
  ...range,
  by,
  integrationId: uuid.test(agent) ? agent : undefined,
  operation: /^[a-z-]{1,100}$/.test(operation) ? operation : undefined,
})
