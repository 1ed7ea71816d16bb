import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../core/errors.ts'
import { WriteLanes } from './write-lanes.ts'

/** Starts writes that last until they are ended, and remembers the order in which they began. */
function observe(limits: { inLane: number; inAll: number; waiting: number }) {
  const lanes = new WriteLanes(limits)
  const began: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const start = (lane: string, name: string) =>
    lanes.run(lane, () => {
      began.push(name)
      return new Promise<string>((resolve, reject) =>
        ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error))),
      )
    })
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error)
    await setImmediate()
  }
  return { lanes, began, start, end }
}

describe('the lanes of writes', () => {
  it('let some of a lane run and the others wait, in order', async () => {
    const { lanes, began, start, end } = observe({ inLane: 2, inAll: 9, waiting: 9 })
    const writes = ['a1', 'a2', 'a3', 'a4'].map((name) => start('a', name))
    await setImmediate()
    expect([began, lanes.waiting]).toEqual([['a1', 'a2'], 2])
    await end('a2')
    expect(began).toEqual(['a1', 'a2', 'a3'])
    await end('a1')
    await end('a3')
    await end('a4')
    expect(await Promise.all(writes)).toEqual(['a1', 'a2', 'a3', 'a4'])
    expect(lanes.waiting).toBe(0)
  })

  it('leave room for other lanes, which take turns', async () => {
    const { began, start, end } = observe({ inLane: 2, inAll: 3, waiting: 9 })
    const writes = [
      ...['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => start('a', name)),
      ...['b1', 'b2'].map((name) => start('b', name)),
      start('c', 'c1'),
    ]
    await setImmediate()
    expect(began).toEqual(['a1', 'a2', 'b1'])
    await end('a1')
    await end('a2')
    expect(began).toEqual(['a1', 'a2', 'b1', 'a3', 'b2'])
    await end('b1')
    expect(began.at(-1)).toBe('c1')
    for (const name of ['a3', 'b2', 'c1', 'a4', 'a5']) await end(name)
    expect(await Promise.all(writes)).toHaveLength(8)
  })

  it('go on after a failed write', async () => {
    const { began, start, end } = observe({ inLane: 1, inAll: 1, waiting: 9 })
    const failing = start('a', 'a1').catch((error: unknown) => error)
    const next = start('a', 'a2')
    await setImmediate()
    await end('a1', new Error('broken'))
    expect(await failing).toEqual(new Error('broken'))
    await end('a2')
    expect(await next).toBe('a2')
    expect(began).toEqual(['a1', 'a2'])
  })

  it('refuse a write if too many of its lane wait, and no other', async () => {
    const { start, end } = observe({ inLane: 1, inAll: 2, waiting: 2 })
    const writes = ['a1', 'a2', 'a3'].map((name) => start('a', name))
    await setImmediate()
    const refused: unknown = await start('a', 'a4').catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ServiceError)
    expect(refused).toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 })
    const other = start('b', 'b1')
    for (const name of ['a1', 'a2', 'a3', 'b1']) await end(name)
    expect(await Promise.all([...writes, other])).toEqual(['a1', 'a2', 'a3', 'b1'])
  })
})
