import { expect, it } from 'vitest'
import { isSaturated, pauseSeconds, StallMeter, tickMs, type Clock, type Stall } from './overload.ts'

/** Stalls of these lengths, 1 ms apart, and the time when the last one ended. */
function stallsOf(...lengths: number[]): { stalls: Stall[]; endMs: number } {
  let endMs = 0
  const stalls = lengths.map((ms) => ({ dueMs: endMs + 1, atMs: (endMs += 1 + ms) }))
  return { stalls, endMs }
}

it.each([1_000, 2_000, 10_000])('a single stall of %d ms is not an overload', (ms) => {
  const { stalls, endMs } = stallsOf(ms)
  expect(isSaturated(stalls, endMs)).toBe(false)
})

it('a short stall before a long one is not an overload', () => {
  const { stalls, endMs } = stallsOf(200, 10_000)
  expect(isSaturated(stalls, endMs)).toBe(false)
})

it('a second stall some time after the first is not an overload', () => {
  const stalls = [
    { dueMs: 0, atMs: 1_500 },
    { dueMs: 3_500, atMs: 4_800 },
  ]
  expect(isSaturated(stalls, 4_800)).toBe(false)
})

it.each([500, 600, 900, 1_200, 1_500])('consecutive turns of %d ms are an overload within three seconds', (ms) => {
  let count = 1
  while (
    !isSaturated(stallsOf(...Array<number>(count).fill(ms)).stalls, stallsOf(...Array<number>(count).fill(ms)).endMs)
  )
    count++
  expect(count * ms).toBeLessThanOrEqual(3_000)
})

it.each([
  [3_100, 3_100],
  [10_000, 10_000],
  [3_100, 200, 3_100],
])('stalls of %d, %d … ms are an overload', (...lengths) => {
  const { stalls, endMs } = stallsOf(...lengths)
  expect(isSaturated(stalls, endMs)).toBe(true)
})

it('an idle server accepts requests again within the time that it announces', () => {
  for (const ms of [400, 900, 3_100, 10_000]) {
    const { stalls, endMs } = stallsOf(...Array<number>(9).fill(ms))
    expect(isSaturated(stalls, endMs + 1_000)).toBe(true)
    expect(isSaturated(stalls, endMs + pauseSeconds * 1_000)).toBe(false)
  }
})

/**
 * A loop whose timer is late by the work of each turn, and the time that it waits after it. pressure.test.ts blocks a real one.
 */
function makeLoop() {
  const clock: Clock = { nowMs: 5_000, workedMs: 70 }
  const meter = new StallMeter(() => ({ ...clock }))
  let dueMs = clock.nowMs + tickMs
  /** The time passes, in which the loop has the processor for `workedMs`. Then the timer fires if it's due. */
  const pass = (ms: number, workedMs: number) => {
    clock.nowMs += ms
    clock.workedMs += workedMs
    if (clock.nowMs < dueMs) return
    meter.endTurn()
    dueMs = clock.nowMs + tickMs
  }
  return { pass, isSaturated: () => meter.isSaturated() }
}

it.each([
  [450, 20, 9],
  [1_200, 20, 3],
])('a loop that stalls for %d ms, with %d ms between, rejects requests after at most %d stalls', (ms, gapMs, most) => {
  const loop = makeLoop()
  let count = 0
  while (!loop.isSaturated() && count < 2 * most) {
    loop.pass(ms, ms)
    loop.pass(gapMs, 0)
    count++
  }
  expect(count).toBeLessThanOrEqual(most)
})

it('a loop with short turns does not', () => {
  const loop = makeLoop()
  for (let count = 0; count < 2_000; count++) {
    loop.pass(150, 150)
    loop.pass(2, 0)
    expect(loop.isSaturated()).toBe(false)
  }
})

it('a loop that waits for the processor does not, however long', () => {
  const loop = makeLoop()
  for (let count = 0; count < 100; count++) {
    loop.pass(3_000, 100)
    expect(loop.isSaturated()).toBe(false)
  }
})
