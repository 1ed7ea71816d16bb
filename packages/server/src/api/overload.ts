/**
 * Detects overload by how long the event loop is blocked. CPU usage says nothing, because a busy server can still be fast. Nor does the
 * mean delay of its turns, in which a delay of three seconds counts no more than one of 10 ms.
 *
 * Only the time that the loop's own thread has worked counts. Refusing requests doesn't help against other programs.
 */
export interface Stall {
  /** When the loop's turn was due, and when it came, without the time in which other programs had the processor. */
  dueMs: number
  atMs: number
}

const windowMs = 3_000
const saturatedMs = 1_800
/**
 * Caps how much a stall counts and how much of the window it fills. A single stall is no overload, however long: a paused
 * process or a big piece of work is over by the time it is noticed. With the cap, stalls before several long ones still
 * count.
 */
const maxPerStallMs = 1_000
/** After this time an idle server is below the limit again. */
export const pauseSeconds = 2

/** `stalls` must be in order. */
export function isSaturated(stalls: readonly Stall[], nowMs: number): boolean {
  let leftMs = windowMs
  let stalledMs = 0
  let untilMs = nowMs
  for (const { dueMs, atMs } of stalls.toReversed()) {
    leftMs -= untilMs - atMs
    if (leftMs <= 0) break
    const countedMs = Math.min(atMs - dueMs, maxPerStallMs, leftMs)
    stalledMs += countedMs
    leftMs -= countedMs
    untilMs = dueMs
  }
  return stalledMs >= saturatedMs
}

/** A turn with this delay is on time. Back-to-back turns count as overload from 375 ms each. */
const tickMs = 150
/** More don't fit into the window. */
const maxStalls = windowMs / tickMs

export interface LoopWatch {
  isSaturated(): boolean
  stop(): void
}

export function watchLoop(): LoopWatch {
  const stalls: Stall[] = []
  // This clock stops while other programs have the processor, so that the window doesn't pass in the meantime.
  let waitedMs = 0
  const now = () => performance.now() - waitedMs
  let dueMs = now() + tickMs
  let used = process.threadCpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(used)
    used = process.threadCpuUsage()
    const lateMs = now() - dueMs
    const workedMs = Math.min(lateMs, (user + system) / 1_000)
    if (lateMs > 0) waitedMs += lateMs - workedMs
    const atMs = now()
    if (workedMs > 0) stalls.push({ dueMs: atMs - workedMs, atMs })
    if (stalls.length > maxStalls) stalls.shift()
    dueMs = atMs + tickMs
  }, tickMs)
  timer.unref()
  return {
    isSaturated: () => isSaturated(stalls, now()),
    stop: () => clearInterval(timer),
  }
}
