import { describe, expect, it } from 'vitest'
import { callsInput, rangeOf, usageUrl } from './shown-range.ts'

const nowMs = Date.parse('2026-11-21T23:30:00.000Z')

describe('rangeOf', () => {
  it('ends today, in UTC', () => {
    expect(rangeOf(usageUrl.defaults, nowMs)).toEqual({ from: '2026-10-23', to: '2026-11-21', bucket: 'day' })
    expect(rangeOf({ ...usageUrl.defaults, range: '7' }, nowMs)).toMatchObject({ from: '2026-11-15' })
    expect(rangeOf({ ...usageUrl.defaults, range: 'month', bucket: 'week' }, nowMs)).toEqual({
      from: '2026-11-01',
      to: '2026-11-21',
      bucket: 'week',
    })
  })

  it('reports invalid custom days', () => {
    const own = (from: string, to: string) => rangeOf({ ...usageUrl.defaults, range: 'own', from, to }, nowMs)
    expect(own('2026-01-01', '2026-02-01')).toMatchObject({ from: '2026-01-01', to: '2026-02-01' })
    expect(own('2026-02-01', '')).toEqual({ problem: 'Choose a first and a last day.' })
    expect(own('2026-02-01', '2026-13-01')).toEqual({ problem: 'Choose a first and a last day.' })
    expect(own('2026-02-01', '2026-01-01')).toEqual({ problem: 'The first day is after the last day.' })
    expect(own('2025-01-01', '2026-11-01')).toEqual({ problem: 'Choose up to 400 days. Older calls are deleted.' })
  })

  it('ignores invalid values in the URL', () => {
    const range = { from: '2026-11-20', to: '2026-11-21', bucket: 'day' } as const
    expect(rangeOf(usageUrl.read({ range: 'ever', bucket: 'hour' }), nowMs)).toEqual(rangeOf(usageUrl.defaults, nowMs))
    expect(callsInput({ ...usageUrl.defaults, agent: 'x', operation: '<b>' }, range, 'agent')).toEqual({
      ...range,
      by: 'agent',
      integrationId: undefined,
      operation: undefined,
    })
  })
})
