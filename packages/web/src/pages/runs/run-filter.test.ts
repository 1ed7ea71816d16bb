import { describe, expect, it } from 'vitest'
import { inputOf, runUrl } from './run-filter.ts'

const vaultId = '0198c5f0-0000-7000-8000-000000000001'
const now = new Date(2026, 10, 21, 15, 30)

describe('inputOf', () => {
  it('asks for all runs without a filter or with unknown values', () => {
    const all = { vaultId, limit: 25, offset: 0 }
    expect(JSON.parse(JSON.stringify(inputOf(runUrl.defaults, vaultId, now)))).toEqual(all)
    const typed = runUrl.read({ period: 'aeon', outcome: 'maybe' })
    expect(JSON.parse(JSON.stringify(inputOf(typed, vaultId, now)))).toEqual(all)
  })

  it('starts a period at midnight', () => {
    const input = inputOf({ ...runUrl.defaults, period: 'week', outcome: 'errors' }, vaultId, now)
    expect(input).toMatchObject({
      seenFrom: new Date(2026, 10, 15).toISOString(),
      failed: true,
    })
    const unsaved = inputOf({ ...runUrl.defaults, outcome: 'unsaved' }, vaultId, now)
    expect(unsaved).toMatchObject({ checkpoint: false })
  })
})

describe('isFiltered', () => {
  it('depends on the filters, not on the page', () => {
    expect(
      [runUrl.defaults, { ...runUrl.defaults, offset: 25 }, { ...runUrl.defaults, agent: 'ada' }].map((filter) =>
        runUrl.isFiltered(filter),
      ),
    ).toEqual([false, false, true])
  })
})
