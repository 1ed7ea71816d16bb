import { describe, expect, it } from 'vitest'
import { isLinearizable, type Model, type Timed } from './linearizable.ts'

type Op = { write: number } | { read: number }

const register: Model<number, Op> = {
  initial: 0,
  apply: (state, op) => ('write' in op ? [op.write] : op.read === state ? [state] : []),
}

const call = (op: Op, from: number, until: number): Timed<Op> => ({ op, from, until })

describe('answers can be explained by one order of calls', () => {
  it('if each read returns what was written last', () => {
    expect(isLinearizable(register, [call({ write: 1 }, 1, 2), call({ read: 1 }, 3, 4)])).toBe(true)
  })

  it('if a read that overlaps a write returns the old or the new value', () => {
    for (const read of [0, 1])
      expect(isLinearizable(register, [call({ write: 1 }, 1, 4), call({ read }, 2, 3)])).toBe(true)
  })

  it('but not if a later read returns an older value than an earlier one', () => {
    const history = [call({ write: 1 }, 1, 8), call({ read: 1 }, 2, 3), call({ read: 0 }, 4, 5)]
    expect(isLinearizable(register, history)).toBe(false)
  })

  it('but not if a read misses an acknowledged write', () => {
    expect(isLinearizable(register, [call({ write: 1 }, 1, 2), call({ read: 0 }, 3, 4)])).toBe(false)
  })

  it('whether or not a write without an answer had its effect, and when', () => {
    const lost = call({ write: 1 }, 1, Infinity)
    expect(isLinearizable(register, [lost, call({ read: 0 }, 2, 3), call({ read: 1 }, 4, 5)])).toBe(true)
    expect(isLinearizable(register, [lost, call({ read: 0 }, 2, 3)])).toBe(true)
    expect(isLinearizable(register, [lost, call({ read: 1 }, 2, 3), call({ read: 0 }, 4, 5)])).toBe(false)
  })

  it('unless a read returns what nobody wrote', () => {
    expect(isLinearizable(register, [call({ write: 1 }, 1, Infinity), call({ read: 2 }, 2, 3)])).toBe(false)
  })
})
