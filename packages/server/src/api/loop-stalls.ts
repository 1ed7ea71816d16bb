/**
 * Whether this process is overloaded, told by how long its event loop stands still. The share of time it works says nothing: a busy server
 * is never idle and still quick. Nor does the mean delay of its turns, in which one of three seconds weighs no more than one of 10 ms.
 */
export interface Stall {
  fromMs: number
  toMs: number
}

/** Who asks during a turn this long notices. */
const stallMs = 500
const windowMs = 3_000
const saturatedMs = 1_800
/** Of an idle server, what is left of a full window is under the bound by then. */
export const pauseSeconds = 2

/** Not after one stall, however long: a pause of the process or one big piece of work is over by the time that it is seen. */
export function isSaturated(stalls: readonly Stall[], nowMs: number): boolean {
  const startMs = nowMs - windowMs
  const stoodStillMs = stalls.reduce((sum, { fromMs, toMs }) => sum + Math.max(0, toMs - Math.max(fromMs, startMs)), 0)
  return stalls.filter(({ toMs }) => toMs > startMs).length > 1 && stoodStillMs >= saturatedMs
}

const tickMs = 100

export interface LoopWatch {
  isSaturated(): boolean
  stop(): void
}

export function watchLoop(): LoopWatch {
  let stalls: Stall[] = []
  let lastMs = performance.now()
  const timer = setInterval(() => {
    const nowMs = performance.now()
    if (nowMs - lastMs >= stallMs) {
      stalls = [...stalls.filter(({ toMs }) => toMs > nowMs - windowMs), { fromMs: lastMs, toMs: nowMs }]
    }
    lastMs = nowMs
  }, tickMs)
  timer.unref()
  return {
    isSaturated: () => stalls.length > 1 && isSaturated(stalls, performance.now()),
    stop: () => clearInterval(timer),
  }
}
