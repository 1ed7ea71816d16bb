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
  await pauseAfter(performance.now() - begun, stopping)
  return made
}

/** The pause after a piece of background work that took so long. */
export async function pauseAfter(workedMs: number, stopping: AbortSignal): Promise<void> {
  if (stopping.aborted) await nextTurn()
  // An aborted pause is fine.
  else await setTimeout(workedMs * pauseFactor, undefined, { signal: stopping }).catch(() => {})
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
 * Runs steps of many calls, each too short to pause on its own, in the order in which they came: as many in a turn of the event loop as
 * fit into a piece. Only the steps count. With `pauses`, which also counts what other calls did meanwhile, every other of 16 writes at once
 * waited for all the others: their p99 was 60 to 68 ms, and 30 to 33 ms with this.
 */
export function sharedSteps(): <T>(step: () => T) => Promise<T> {
  const queue: (() => void)[] = []
  let workedMs = 0
  let isTurnStarted = false
  const hasTime = () => workedMs < pieceMs
  const run = (step: () => void) => {
    if (!isTurnStarted) setImmediate(startTurn)
    isTurnStarted = true
    const begun = performance.now()
    step()
    workedMs += performance.now() - begun
  }
  const startTurn = () => {
    isTurnStarted = false
    workedMs = 0
    while (hasTime()) {
      const next = queue.shift()
      if (next === undefined) return
      run(next)
    }
  }
  return (step) =>
    new Promise((resolve, reject) => {
      const settle = () => {
        try {
          resolve(step())
        } catch (error) {
          reject(error)
        }
      }
      if (hasTime() && queue.length === 0) run(settle)
      else queue.push(settle)
    })
}
