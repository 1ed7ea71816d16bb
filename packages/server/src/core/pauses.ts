import { setImmediate as nextTurn } from 'node:timers/promises'

const turnMs = 20

/** To be called between the steps of long work: lets others have a turn where the last one was a while ago. */
export function pauses(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < turnMs) return
    await nextTurn()
    since = performance.now()
  }
}
