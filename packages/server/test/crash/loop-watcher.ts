// Loaded into a server with --import: measures how late its event loop is, and writes that to the file in LOOP_DELAYS, every second.
//
// Every 10 ms a timer is due. If it comes late, so would have every timer due in the meantime, so a delay of 95 ms counts as ten: 95 ms,
// 85 ms and so on. Only time in which the loop's own thread was working counts: when other programs have the processor, the server isn't
// what keeps callers waiting.

import { renameSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const dueEveryMs = 10
const file = process.env['LOOP_DELAYS']

/** How many delays there were, by whole milliseconds. */
const counts: number[] = []
let dueAt = performance.now() + dueEveryMs
let used = process.threadCpuUsage()

function measure(): void {
  const { user, system } = process.threadCpuUsage(used)
  used = process.threadCpuUsage()
  const lateMs = Math.min(performance.now() - dueAt, (user + system) / 1_000)
  for (let ms = Math.max(0, lateMs); ; ms -= dueEveryMs) {
    const whole = Math.max(0, Math.round(ms))
    counts[whole] = (counts[whole] ?? 0) + 1
    if (ms < dueEveryMs) break
  }
  dueAt = performance.now() + dueEveryMs
}

function report(path: string): void {
  writeFileSync(`${path}.new`, JSON.stringify(Array.from(counts, (count) => count ?? 0)))
  renameSync(`${path}.new`, path)
}

if (isMainThread && file !== undefined) {
  setInterval(measure, dueEveryMs).unref()
  setInterval(report, 1_000, file).unref()
}
