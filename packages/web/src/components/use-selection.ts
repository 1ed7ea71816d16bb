import { useState } from 'react'

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
  const isAll = shown.length > 0 && ids.length === shown.length
  return {
    ids,
    isAll,
    toggle: (id) => setTicked(ticked.has(id) ? new Set(ids.filter((one) => one !== id)) : new Set([...ids, id])),
    toggleAll: () => setTicked(new Set(isAll ? [] : shown)),
    clear: () => setTicked(new Set()),
  }
}
