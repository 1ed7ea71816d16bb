/** Keeps this thread busy for this much processor time, whatever else the machine does. */
export function keepBusy(ms: number): void {
  const start = process.threadCpuUsage()
  for (;;) {
    const { user, system } = process.threadCpuUsage(start)
    if (user + system >= ms * 1_000) return
  }
}
