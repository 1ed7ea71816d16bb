import { onTestFinished } from 'vitest'

/** Counts the turns of the event loop until the test ends. Returns a function that says how many have passed. */
export function countTurns(): () => number {
  let turns = 0
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  onTestFinished(() => clearImmediate(next))
  return () => turns
}
