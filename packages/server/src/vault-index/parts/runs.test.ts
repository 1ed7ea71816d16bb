import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { startProcessorClock } from '../../../test/processor-time.ts'
import { none, RunOrder } from './runs.ts'

const run = Uint32Array.of(1, 2)

it('keeps the turns of each run in order, and what was learned in it, whatever is added and removed', () => {
  const step = fc.record({
    at: fc.nat(8),
    run: fc.nat(2),
    isTurn: fc.boolean(),
    removes: fc.nat(3),
    settles: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const isTurn = (slot: number) => steps[slot]?.isTurn === true
      const runs = new RunOrder(isTurn)
      const byTime = (a: number, b: number) => (steps[a]?.at ?? 0) - (steps[b]?.at ?? 0) || a - b
      const members: number[] = []
      for (const [slot, { run: number, removes, settles }] of steps.entries()) {
        runs.add(slot, number === 0 ? undefined : Uint32Array.of(number, 7))
        if (number > 0) members.push(slot)
        const victim = removes === 0 ? members.splice(Math.floor(members.length / 2), 1)[0] : undefined
        if (victim !== undefined) runs.remove(victim)
        if (settles) runs.settle(byTime)
      }
      runs.settle(byTime)
      for (const [number, turns] of [
        [1, true] as const,
        [1, false] as const,
        [2, true] as const,
        [2, false] as const,
      ]) {
        const ordered = members.filter((slot) => isTurn(slot) === turns && steps[slot]?.run === number).toSorted(byTime)
        expect(ordered.map((slot) => runs.previous[slot])).toEqual([none, ...ordered].slice(0, ordered.length))
        expect(ordered.map((slot) => runs.next[slot])).toEqual([...ordered.slice(1), none].slice(0, ordered.length))
      }
      const columns = { runKeys: runs.runs.keys.slice(), runOf: runs.runOf.slice(), inRuns: runs.sorted.slice() }
      const copy = new RunOrder(isTurn, columns)
      const neighbours = ({ previous, next }: RunOrder) => steps.map((_, slot) => [previous[slot], next[slot]])
      expect(neighbours(copy)).toEqual(neighbours(runs))
    }),
  )
})

const times: [name: string, timeOf: (slot: number) => number][] = [
  ['backwards', (slot) => -slot],
  ['at random', (slot) => Math.imul(slot, 0x9e3779b1)],
]
for (const [name, timeOf] of times) {
  it(`handles a long conversation in ${name} as quickly as forwards`, () => {
    const count = 50_000
    const runs = new RunOrder(() => true)
    const usedMs = startProcessorClock()
    for (let slot = 0; slot < count; slot++) {
      runs.add(slot, run)
      if (slot % 500 === 0) runs.settle((a, b) => timeOf(a) - timeOf(b))
    }
    expect(usedMs()).toBeLessThan(1_000)
    const order = Array.from(runs.sorted, timeOf)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
  })
}
