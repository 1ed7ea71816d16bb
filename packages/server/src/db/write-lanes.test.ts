import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../core/errors.ts'
import { WriteLanes, type Job } from './write-lanes.ts'

/** Starts writes whose transactions last until they are ended, and remembers which writes each transaction had. */
function observe(limits: { together: number; lanes: number; waiting: number }) {
  const transactions: string[][] = []
  const ends = new Map<string, () => void>()
  const names = new Map<Job['work'], string>()
  const commit = (jobs: readonly Job[]) =>
    new Promise<void>((resolve) => {
      const together = jobs.map(({ work }) => names.get(work) ?? '')
      transactions.push(together)
      ends.set(together.join('+'), () => {
        for (const [at, job] of jobs.entries()) job.resolve(together[at])
        resolve()
      })
    })
  const lanes = new WriteLanes(commit, limits)
  const start = (lane: string | symbol, name: string) => {
    const work = async () => name
    names.set(work, name)
    return lanes.run(lane, work)
  }
  const end = async (together: string) => {
    ends.get(together)?.()
    await setImmediate()
  }
  return { lanes, transactions, start, end }
}

describe('the lanes of writes', () => {
  it('have one transaction at a time, with what has gathered since the last one, in order', async () => {
    const { lanes, transactions, start, end } = observe({ together: 2, lanes: 9, waiting: 9 })
    const writes = ['a1', 'a2', 'a3', 'a4'].map((name) => start('a', name))
    await setImmediate()
    expect([transactions, lanes.waiting]).toEqual([[['a1']], 3])
    await end('a1')
    await end('a2+a3')
    await end('a4')
    expect(transactions).toEqual([['a1'], ['a2', 'a3'], ['a4']])
    expect(await Promise.all(writes)).toEqual(['a1', 'a2', 'a3', 'a4'])
    expect(lanes.waiting).toBe(0)
  })

  it('take turns', async () => {
    const { transactions, start, end } = observe({ together: 1, lanes: 2, waiting: 9 })
    const writes = [
      ...['a1', 'a2', 'a3'].map((name) => start('a', name)),
      ...['b1', 'b2'].map((name) => start('b', name)),
      start('c', 'c1'),
      start(Symbol('a lane of its own'), 'd1'),
    ]
    await setImmediate()
    for (const name of ['a1', 'b1', 'c1', 'd1', 'a2', 'b2', 'a3']) await end(name)
    expect(transactions.flat()).toEqual(['a1', 'b1', 'c1', 'd1', 'a2', 'b2', 'a3'])
    expect(await Promise.all(writes)).toHaveLength(7)
  })

  it('refuse a write if too many of its lane wait, and no other', async () => {
    const { start, end } = observe({ together: 2, lanes: 2, waiting: 2 })
    const writes = ['a1', 'a2', 'a3'].map((name) => start('a', name))
    await setImmediate()
    const refused: unknown = await start('a', 'a4').catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ServiceError)
    expect(refused).toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 })
    const other = start('b', 'b1')
    for (const together of ['a1', 'a2+a3', 'b1']) await end(together)
    expect(await Promise.all([...writes, other])).toEqual(['a1', 'a2', 'a3', 'b1'])
  })
})
