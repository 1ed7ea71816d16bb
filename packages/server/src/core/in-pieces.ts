import { setImmediate } from 'node:timers/promises'

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

/** Does the work at once. */
export function atOnce<T>(work: Pieces<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
