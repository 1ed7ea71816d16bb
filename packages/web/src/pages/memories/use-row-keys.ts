import { useState } from 'react'
import { useShortcut } from '../../shell/shortcuts.ts'

interface Actions {
  toggle: (id: string) => void
  edit: (id: string) => void
  archive: (id: string) => void
}

/**
 * Keys for a list: j and k move the focus between the links of its rows (`data-row`), so that Enter opens and screen readers
 * follow; the others act on the row that was focused last.
 */
export function useRowKeys(ids: readonly string[], { toggle, edit, archive }: Actions) {
  const [current, setCurrent] = useState<string>()
  const move = (steps: number) => {
    const at = current === undefined ? -1 : ids.indexOf(current)
    const next = ids[at === -1 ? 0 : Math.min(ids.length - 1, Math.max(0, at + steps))]
    if (next === undefined) return
    setCurrent(next)
    document.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus()
  }
  const onCurrent = (act: (id: string) => void) => () => {
    if (current !== undefined && ids.includes(current)) act(current)
  }
  useShortcut('j', 'Next row', () => move(1))
  useShortcut('k', 'Row before', () => move(-1))
  useShortcut('x', 'Select the row', onCurrent(toggle))
  useShortcut('e', 'Edit it', onCurrent(edit))
  useShortcut('#', 'Archive it', onCurrent(archive))
  return { setCurrent }
}
