import { setImmediate, setTimeout } from 'node:timers/promises'

/**
 * Long work as a generator that yields wherever it may rest: thousands of items lie between two yields, some milliseconds of
 * work. What it made is what it returns.
 */
export type Pieces<T> = Generator<undefined, T>

/** So long other requests wait at most for a piece to end, the last step not counted. */
const pieceMs = 5

/** Does the work, and lets other requests have their turn between its pieces. */
export async function inPieces<T>(work: Pieces<T>): Promise<T> {
  let restAt = performance.now() + pieceMs
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    if (performance.now() < restAt) continue
    await setImmediate()
    restAt = performance.now() + pieceMs
  }
}

/** How long others have to themselves after a piece of work that nobody waits for, as a multiple of what the piece took. */
const restShare = 4

/** Does a piece of work that nobody waits for, and leaves the time after it to others, so that few requests meet it. */
export async function withRest<T>(work: () => T | Promise<T>, hurry: AbortSignal): Promise<T> {
  const begun = performance.now()
  const made = await work()
  if (hurry.aborted) await setImmediate()
  // A rest that is cut short was long enough.
  else await setTimeout((performance.now() - begun) * restShare, undefined, { signal: hurry }).catch(() => {})
  return made
}

/** Does work that nobody waits for, in a fifth of the time; in all of it once `hurry` is told. */
export async function atLeisure<T>(work: Pieces<T>, hurry: AbortSignal): Promise<T> {
  for (;;) {
    const step = await withRest(() => work.next(), hurry)
    if (step.done === true) return step.value
  }
}

/** Does the work at once. */
export function atOnce<T>(work: Pieces<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
