import { useSyncExternalStore } from 'react'

const tickMs = 15_000

/** The time for what shows how long ago something was: one clock for the page, which runs while somebody looks at it. */
let nowMs = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function tick(): void {
  nowMs = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) {
    // Nobody has looked for a while.
    nowMs = Date.now()
    timer = setInterval(tick, tickMs)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

export const useNow = () => useSyncExternalStore(subscribe, () => nowMs)
