import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { isSaturated, pauseSeconds, watchLoop, type Stall } from './overload.ts'
import { keepBusy } from './testing/keep-busy.ts'

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

it.each([
  [450, 20, 9],
  [1_200, 20, 3],
])(
  'a loop that stalls for %d ms, with %d ms between, rejects requests after at most %d stalls',
  async (ms, gapMs, most) => {
    const loop = watchLoop()
    let count = 0
    while (!loop.isSaturated() && count < 2 * most) {
      keepBusy(ms)
      await sleep(gapMs)
      count++
    }
    loop.stop()
    expect(count).toBeLessThanOrEqual(most)
  },
)

it('a loop with short turns does not', async () => {
  const loop = watchLoop()
  const seen: boolean[] = []
  for (let count = 0; count < 20; count++) {
    keepBusy(150)
    await sleep(2)
    seen.push(loop.isSaturated())
  }
  loop.stop()
  expect(seen).not.toContain(true)
})
