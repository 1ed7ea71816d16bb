/**
 * Whether this process is overloaded, told by how long its event loop stands still. The share of time it works says nothing: a busy server
 * is never idle and still quick. Nor does the mean delay of its turns, in which one of three seconds weighs no more than one of 10 ms.
 *
 * Of a delay, what the loop's own thread worked counts. What other programs keep from it would not pass sooner if requests were refused.
 */
export interface Stall {
  /** When the loop should have had its turn, and when it had it; the time in which others had the processor left out. */
  dueMs: number
  atMs: number
}

const windowMs = 3_000
const saturatedMs = 1_800
/**
 * What a stall counts for at most, and how much of the window it takes up: one alone, however long, is no overload (a pause of the process
 * or one big piece of work is over by the time that it is seen), and after several that each fill the window the ones before still count.
 */
const mostOfOneMs = 1_000
/** Of an idle server, what is left of a full window is under the bound by then. */
export const pauseSeconds = 2

/** `stalls` in the order of time. */
export function isSaturated(stalls: readonly Stall[], nowMs: number): boolean {
  let leftMs = windowMs
  let stoodStillMs = 0
  let untilMs = nowMs
  for (const { dueMs, atMs } of stalls.toReversed()) {
    leftMs -= untilMs - atMs
    if (leftMs <= 0) break
    const countedMs = Math.min(atMs - dueMs, mostOfOneMs, leftMs)
    stoodStillMs += countedMs
    leftMs -= countedMs
    untilMs = dueMs
  }
  return stoodStillMs >= saturatedMs
}

/** A turn that comes this late is on time: turns of 375 ms in a row are the shortest that are an overload. */
const tickMs = 150
/** More do not fit into the window. */
const mostStalls = windowMs / tickMs

export interface LoopWatch {
  isSaturated(): boolean
  stop(): void
}

export function watchLoop(): LoopWatch {
  const stalls: Stall[] = []
  // A clock that stands while others have the processor: the window must not run out meanwhile.
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
    if (stalls.length > mostStalls) stalls.shift()
    dueMs = atMs + tickMs
  }, tickMs)
  timer.unref()
  return {
    isSaturated: () => isSaturated(stalls, now()),
    stop: () => clearInterval(timer),
  }
}
