import { readProcess } from './machine.ts'
import { summarize, type Summary } from './samples.ts'

export interface TimedCalls {
  times: Summary
  perSecond: number
}

/** With the processor time that the called process needed per call. */
export interface CallFigures extends TimedCalls {
  cpuMsPerCall: number
}

/** The milliseconds of each call, and from the start of the first to the end of the last. */
export interface CallSamples {
  samples: Float64Array
  totalMs: number
}

/** Calls `call` for the numbers 0 to count - 1 in order, with up to `connections` calls at once. */
export async function sampleCalls(
  count: number,
  connections: number,
  call: (number: number) => Promise<unknown>,
): Promise<CallSamples> {
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
  return { samples, totalMs: performance.now() - start }
}

export async function timeCalls(
  count: number,
  connections: number,
  call: (number: number) => Promise<unknown>,
): Promise<TimedCalls> {
  const { samples, totalMs } = await sampleCalls(count, connections, call)
  return { times: summarize(samples), perSecond: (count * 1_000) / totalMs }
}

/** Like `timeCalls`, for calls to the process `pid`. */
export async function timeCallsTo(
  pid: number,
  count: number,
  connections: number,
  call: (number: number) => Promise<unknown>,
): Promise<CallFigures> {
  const before = readProcess(pid).cpuMs
  const timed = await timeCalls(count, connections, call)
  return { ...timed, cpuMsPerCall: (readProcess(pid).cpuMs - before) / count }
}
