import { describe, expect, it } from 'vitest'
import { closingLines, judge } from './test-summary.ts'

const summary = { passed: 12, failed: 0, skipped: 0, notes: [] }

describe('closingLines', () => {
  it('ends with the count', () => {
    expect(closingLines(summary)).toBe('12 passed, 0 failed')
  })

  it('mentions skipped tests only if there are any, and says why before the count', () => {
    expect(closingLines({ ...summary, skipped: 3, notes: ['Not tested on PostgreSQL: not installed'] })).toBe(
      'Not tested on PostgreSQL: not installed\n12 passed, 0 failed, 3 skipped',
    )
  })
})

describe('judge', () => {
  it('does not change a clean run or a failed run', () => {
    expect(judge(summary, 0)).toEqual(summary)
    expect(judge({ ...summary, failed: 2 }, 1)).toEqual({ ...summary, failed: 2 })
  })

  it('counts a run without a test as failed, even if all were skipped', () => {
    const judged = judge({ ...summary, passed: 0, skipped: 4 }, 0)
    expect(judged).toEqual({ passed: 0, failed: 1, skipped: 4, notes: ['No test ran.'] })
  })

  it('counts a run as failed if it failed outside its tests', () => {
    const judged = judge(summary, 1)
    expect(judged).toEqual({ ...summary, failed: 1, notes: ['The test run failed outside its tests.'] })
  })
})
