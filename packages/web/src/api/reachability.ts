import { useSyncExternalStore } from 'react'

/** Whether the last call got a response. The browser's `onLine` says nothing about a server on this machine. */
let isReachable = true
const listeners = new Set<() => void>()

export function setReachable(is: boolean): void {
  if (is === isReachable) return
  isReachable = is
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useReachable = () => useSyncExternalStore(subscribe, () => isReachable)
