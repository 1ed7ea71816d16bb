import { summarise, type Summary } from './samples.ts'

export interface TimedCalls {
  times: Summary
  perSecond: number
}

/** Calls `call` for the numbers 0 to count - 1, in order, never more than `connections` at once. */
export async function timeCalls(
  count: number,
  connections: number,
  call: (number: number) => Promise<unknown>,
): Promise<TimedCalls> {
  const samples = new Float64Array(count)
  let next = 0
  const work = async () => {
    while (next < count) {
      const number = next++
      const start = performance.now()
      await call(number)
      samples[number] = performance.now() - start
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: connections }, work))
  return { times: summarise(samples), perSecond: (count * 1_000) / (performance.now() - start) }
}
