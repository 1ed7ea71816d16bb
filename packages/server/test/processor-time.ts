/** Milliseconds of processor time that this thread has needed since the call. Unlike elapsed time, it is nearly the same while other tests keep the machine busy. */
export function startProcessorClock(): () => number {
  const before = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
}

export function processorMs(work: () => unknown): number {
  const usedMs = startProcessorClock()
  work()
  return usedMs()
}

/** How long the work keeps others waiting: the most processor time between two turns of the event loop. */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let usedMs = startProcessorClock()
  const endTurn = () => {
    longest = Math.max(longest, usedMs())
    usedMs = startProcessorClock()
  }
  const timer = setInterval(endTurn, 1)
  await work()
  clearInterval(timer)
  endTurn()
  return longest
}
