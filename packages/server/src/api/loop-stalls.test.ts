import { expect, it } from 'vitest'
import { isSaturated, pauseSeconds, type Stall } from './loop-stalls.ts'

/** One after the other, so long each, with 1 ms between; and when the last one ended. */
function stallsOf(...lengths: number[]): { stalls: Stall[]; endMs: number } {
  let endMs = 0
  const stalls = lengths.map((ms) => ({ fromMs: endMs + 1, toMs: (endMs += 1 + ms) }))
  return { stalls, endMs }
}

it.each([1_000, 2_000, 10_000])('one stall of %d ms is no overload', (ms) => {
  const { stalls, endMs } = stallsOf(ms)
  expect(isSaturated(stalls, endMs)).toBe(false)
})

it('nor is a second one a while after the first', () => {
  const stalls = [
    { fromMs: 0, toMs: 1_500 },
    { fromMs: 3_500, toMs: 4_800 },
  ]
  expect(isSaturated(stalls, 4_800)).toBe(false)
})

it.each([500, 600, 900, 1_200, 1_500])('turns of %d ms in a row are one within three seconds', (ms) => {
  let count = 1
  while (
    !isSaturated(stallsOf(...Array<number>(count).fill(ms)).stalls, stallsOf(...Array<number>(count).fill(ms)).endMs)
  )
    count++
  expect(count * ms).toBeLessThanOrEqual(3_000)
})

it('a server that has nothing to do any more takes requests again by the time that it names', () => {
  const { stalls, endMs } = stallsOf(900, 900, 900, 900, 900)
  expect(isSaturated(stalls, endMs + 1_000)).toBe(true)
  expect(isSaturated(stalls, endMs + pauseSeconds * 1_000)).toBe(false)
})
