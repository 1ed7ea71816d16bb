import { describe, expect, it } from 'vitest'
import { randomFrom } from './random.ts'
import type { Turn } from './turns.ts'
import { describeVerdicts, judge, type Compared } from './verdict.ts'

const perTurn = 10

/** Turns of 100 ms of processor time and 200 ms, each up to a tenth more or less; ours are slowed by the factors. */
function compared(factors: { cpu: number; time: number }, turns = 32): Compared {
  const random = randomFrom(5)
  const turn = (cpu: number, time: number): Turn => ({
    samples: new Float64Array(perTurn),
    cpuMs: 100 * cpu * (0.9 + random.next() / 5),
    totalMs: 200 * time * (0.9 + random.next() / 5),
  })
  const ours = Array.from({ length: turns }, () => turn(factors.cpu, factors.time))
  const theirs = Array.from({ length: turns }, () => turn(1, 1))
  return { name: 'search-memories', calls: perTurn, ours, theirs, leastTurns: 32 }
}

describe('judge', () => {
  it.each([
    ['the same code', { cpu: 1, time: 1 }, ''],
    ['code that needs a fifth more processor time', { cpu: 1.2, time: 1 }, 'slower'],
    ['code that only waits longer', { cpu: 1, time: 1.2 }, 'slower'],
    ['code that needs a tenth more, where the interval includes less', { cpu: 1.1, time: 1 }, ''],
    ['code that needs a fifth less', { cpu: 0.8, time: 1 }, 'faster'],
    ['code that needs less and waits longer', { cpu: 0.8, time: 1.2 }, 'slower'],
  ] as const)('says of %s: "%s"', (_, factors, proven) => {
    expect(judge(compared(factors)).proven).toBe(proven)
  })

  it('says nothing after too few turns', () => {
    const few = judge(compared({ cpu: 2, time: 2 }, 31))
    expect(few.proven).toBe('')
    expect(describeVerdicts([few], 'abc1234')).toContain('too few turns')
  })
})

it('the table has times per call, calls per second and the ratio with its interval', () => {
  const [head = '', , row = ''] = describeVerdicts([judge(compared({ cpu: 2, time: 1 }))], 'abc1234').split('\n')
  expect(head.split('|').filter((cell) => cell.includes('abc1234'))).toHaveLength(2)
  const cells = row.split('|').map((cell) => cell.trim())
  expect(cells.slice(1, 3)).toEqual(['search-memories', '32'])
  const [ourCpuMs, theirCpuMs] = cells.slice(3, 5).map(Number)
  expect((ourCpuMs ?? 0) / (theirCpuMs ?? 1)).toBeCloseTo(2, 0)
  expect(theirCpuMs).toBeCloseTo(10, 0)
  expect(cells[5]).toMatch(/^[12]\.\d\d \(1\.\d\d to 2\.\d\d\)$/)
  // 10 calls in 200 ms.
  expect(Number(cells[6])).toBeCloseTo(50, -1)
})
