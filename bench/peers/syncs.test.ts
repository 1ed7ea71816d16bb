import { describe, expect, it } from 'vitest'
import { countSynced, parseTrace } from './syncs.ts'

describe('parseTrace', () => {
  it('reads whole calls and those that other threads interrupt, and skips failed ones', () => {
    const trace = [
      '12402 100.500000 fsync(12</store/a.db>) = 0 <0.250000>',
      '12402 101.000000 fdatasync(13</store/a.db-wal> <unfinished ...>',
      '12403 101.100000 fsync(14</store/b>) = -1 EIO (Input/output error) <0.100000>',
      '12402 101.300000 <... fdatasync resumed>) = 0 <0.300000>',
      '12402 102.000000 +++ exited with 0 +++',
    ]
    expect(parseTrace(trace.join('\n'))).toEqual([
      { path: '/store/a.db', at: 100_750 },
      { path: '/store/a.db-wal', at: 101_300 },
    ])
  })
})

describe('countSynced', () => {
  it('counts writes with a sync between their request and its acknowledgement', () => {
    const writes = [
      { from: 0, to: 10 },
      { from: 11, to: 20 },
      { from: 21, to: 30 },
    ]
    const at = (ms: number) => ({ path: '/store/a', at: ms })
    expect(countSynced(writes, [at(5), at(6), at(20.5), at(30)])).toBe(2)
  })
})
