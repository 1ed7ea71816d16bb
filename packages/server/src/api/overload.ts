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
export const tickMs = 150
/** More don't fit into the window. */
const maxStalls = windowMs / tickMs

/** What the operating system says, in milliseconds. */
export interface Clock {
  nowMs: number
  /** How long this thread has worked since it started. */
  workedMs: number
}

/** Collects the stalls of a loop that calls `endTurn` every `tickMs`, or later if it is blocked. */
export class StallMeter {
  readonly #read: () => Clock
  readonly #stalls: Stall[] = []
  /** The clock here stops while other programs have the processor, so that the window doesn't pass in the meantime. */
  #waitedMs = 0
  #workedMs: number
  #dueMs: number

  constructor(read: () => Clock) {
    this.#read = read
    const { nowMs, workedMs } = read()
    this.#workedMs = workedMs
    this.#dueMs = nowMs + tickMs
  }

  endTurn(): void {
    const { nowMs, workedMs } = this.#read()
    const lateMs = nowMs - this.#waitedMs - this.#dueMs
    const ownMs = Math.min(lateMs, workedMs - this.#workedMs)
    this.#workedMs = workedMs
    if (lateMs > 0) this.#waitedMs += lateMs - ownMs
    const atMs = nowMs - this.#waitedMs
    if (ownMs > 0) this.#stalls.push({ dueMs: atMs - ownMs, atMs })
    if (this.#stalls.length > maxStalls) this.#stalls.shift()
    this.#dueMs = atMs + tickMs
  }

  isSaturated(): boolean {
    return isSaturated(this.#stalls, this.#read().nowMs - this.#waitedMs)
  }
}

export interface LoopWatch {
  isSaturated(): boolean
  stop(): void
}

export function watchLoop(): LoopWatch {
  const meter = new StallMeter(readClock)
  const timer = setInterval(() => meter.endTurn(), tickMs)
  timer.unref()
  return {
    isSaturated: () => meter.isSaturated(),
    stop: () => clearInterval(timer),
  }
}

function readClock(): Clock {
  const { user, system } = process.threadCpuUsage()
  return { nowMs: performance.now(), workedMs: (user + system) / 1_000 }
}
