import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises'

/**
 * Long work as a generator that yields wherever it can pause, every few thousand items or some milliseconds of work. Its
 * return value is the result.
 */
export type Pieces<T> = Generator<undefined, T>

/** Other requests wait at most this long, plus one step of the work. */
const pieceMs = 5

/** Works that wait until others had their turn. */
const waiting: (() => void)[] = []

/** Resolves for one work in each turn of the event loop, first come, first served: the pieces of many works in one turn would add up. */
function takeTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(runNext)
  })
}

function runNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(runNext)
}

/** Does the work and lets other requests run between its pieces. */
export async function inPieces<T>(work: Pieces<T>): Promise<T> {
  let restAt = performance.now() + pieceMs
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    if (performance.now() < restAt) continue
    await takeTurn()
    restAt = performance.now() + pieceMs
  }
}

/** How long background work pauses after each piece, as a multiple of the time that the piece took. */
const pauseFactor = 4

/** Does a piece of background work, then pauses, so it delays few requests. */
export async function runThenPause<T>(work: () => T | Promise<T>, stopping: AbortSignal): Promise<T> {
  const begun = performance.now()
  const made = await work()
  if (stopping.aborted) await nextTurn()
  // An aborted pause is fine.
  else await setTimeout((performance.now() - begun) * pauseFactor, undefined, { signal: stopping }).catch(() => {})
  return made
}

/** Does background work in a fifth of the available time, or without pauses once `stopping` is aborted. */
export async function inBackground<T>(work: Pieces<T>, stopping: AbortSignal): Promise<T> {
  for (;;) {
    const step = await runThenPause(() => work.next(), stopping)
    if (step.done === true) return step.value
  }
}

/** Does the work without pauses. */
export function atOnce<T>(work: Pieces<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** Call the result between the steps of long work. It lets other requests run if the last pause was a while ago. */
export function pauses(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < pieceMs) return
    await takeTurn()
    since = performance.now()
  }
}

/**
 * For the steps of many calls, each too short to pause on its own: steps wait for a turn once those of one turn of the event loop have
 * taken as long as a piece. Counts only the steps, because time that others take isn't a reason to wait: with `pauses`, every second of 32
 * searches at once waited for the others, with a p90 of 205 ms at a mean of 88 ms.
 */
export function sharedSteps(): <T>(step: () => T) => Promise<T> {
  let workedMs = 0
  const isFull = () => workedMs >= pieceMs
  const startTurn = () => {
    workedMs = 0
  }
  return async (step) => {
    while (isFull()) await takeTurn()
    if (workedMs === 0) setImmediate(startTurn)
    const begun = performance.now()
    try {
      return step()
    } finally {
      workedMs += performance.now() - begun
    }
  }
}
