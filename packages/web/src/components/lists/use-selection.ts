import { useCallback, useState } from 'react'

export interface Selection {
  /** In the order of the list; those that are no longer on the page are none. */
  ids: readonly string[]
  isAll: boolean
  toggle: (id: string) => void
  toggleAll: () => void
  clear: () => void
}

/** What is ticked of the page that is shown. */
export function useSelection(shown: readonly string[]): Selection {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const ids = shown.filter((id) => ticked.has(id))
  // What has left the page does not come back ticked.
  if (ids.length < ticked.size) setTicked(new Set(ids))
  const isAll = shown.length > 0 && ids.length === shown.length
  // Always the same, so that rows whose tick has not changed are not drawn again.
  const toggle = useCallback(
    (id: string) =>
      setTicked((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id])),
    [],
  )
  return {
    ids,
    isAll,
    toggle,
    toggleAll: () => setTicked(new Set(isAll ? [] : shown)),
    clear: () => setTicked(new Set()),
  }
}
