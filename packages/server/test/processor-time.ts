/**
 * Milliseconds of processor time that this thread needs for `work`. Unlike elapsed time, it is nearly the same while other tests keep
 * the machine busy.
 */
export function processorMs(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
