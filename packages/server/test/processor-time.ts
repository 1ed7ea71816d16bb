/**
 * Milliseconds of processor time that this thread needs for `work`: unlike those of a clock they are the same, or nearly, while
 * other tests keep the machine busy.
 */
export function processorMs(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
