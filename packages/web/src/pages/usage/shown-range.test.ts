import { describe, expect, it } from 'vitest'
import { callsInput, rangeOf, shown } from './shown-range.ts'

const nowMs = Date.parse('2026-11-21T23:30:00.000Z')

describe('rangeOf', () => {
  it('ends today, in UTC', () => {
    expect(rangeOf(shown, nowMs)).toEqual({ from: '2026-10-23', to: '2026-11-21', bucket: 'day' })
    expect(rangeOf({ ...shown, range: '7' }, nowMs)).toMatchObject({ from: '2026-11-15' })
    expect(rangeOf({ ...shown, range: 'month', bucket: 'week' }, nowMs)).toEqual({
      from: '2026-11-01',
      to: '2026-11-21',
      bucket: 'week',
    })
  })

  it('reports invalid custom days', () => {
    const own = (from: string, to: string) => rangeOf({ ...shown, range: 'own', from, to }, nowMs)
    expect(own('2026-01-01', '2026-02-01')).toMatchObject({ from: '2026-01-01', to: '2026-02-01' })
    expect(own('2026-02-01', '')).toEqual({ problem: 'Choose a first and a last day.' })
    expect(own('2026-02-01', '2026-13-01')).toEqual({ problem: 'Choose a first and a last day.' })
    expect(own('2026-02-01', '2026-01-01')).toEqual({ problem: 'The first day is after the last day.' })
    expect(own('2025-01-01', '2026-11-01')).toEqual({ problem: 'Choose up to 400 days. Older calls are deleted.' })
  })

  it('ignores invalid values in the URL', () => {
    const range = { from: '2026-11-20', to: '2026-11-21', bucket: 'day' } as const
    expect(rangeOf({ ...shown, range: 'ever', bucket: 'hour' }, nowMs)).toEqual(rangeOf(shown, nowMs))
    expect(callsInput({ ...shown, agent: 'x', operation: '<b>' }, range, 'agent')).toEqual({
      ...range,
      by: 'agent',
      integrationId: undefined,
      operation: undefined,
    })
  })
})
