import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { none, RunOrder } from './runs.ts'

const run = Uint32Array.of(1, 2)

it('orders a run by time and by arrival, whatever comes and goes', () => {
  const step = fc.record({ at: fc.nat(8), inRun: fc.boolean(), removes: fc.nat(3) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const order = new RunOrder()
      const times = Float64Array.from(steps, ({ at }) => at)
      const members: number[] = []
      for (const [slot, { inRun, removes }] of steps.entries()) {
        order.add(slot, inRun ? run : undefined, times)
        if (inRun) members.push(slot)
        const victim = removes === 0 ? members.splice(Math.floor(members.length / 2), 1)[0] : undefined
        if (victim !== undefined) order.remove(victim)
      }
      members.sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b)
      expect(members.map((slot) => order.previous[slot])).toEqual([none, ...members].slice(0, members.length))
      expect(members.map((slot) => order.next[slot])).toEqual([...members.slice(1), none].slice(0, members.length))
    }),
  )
})

it('takes a long conversation in backwards as quickly as forwards', () => {
  const count = 20_000
  const order = new RunOrder()
  const times = Float64Array.from({ length: count }, (_, slot) => -slot)
  const start = performance.now()
  for (let slot = 0; slot < count; slot++) order.add(slot, run, times)
  expect(performance.now() - start).toBeLessThan(500)
  expect(order.previous[0]).toBe(1)
})
