import { useEffect, useRef, useState } from 'react'
import { useShortcut } from '../../shell/shortcuts.ts'

interface Actions {
  toggle: (id: string) => void
  /** Left out where `e` and `#` mean something else, as beside a record that is open. */
  edit?: (id: string) => void
  archive?: (id: string) => void
}

/** Moves the focus between the links of a list's rows (`data-row`) by j and k, so that Enter opens and screen readers follow. */
export function useRowFocus(ids: readonly string[]) {
  const [current, setCurrent] = useState<string>()
  const place = useRef(-1)
  const at = current === undefined ? -1 : ids.indexOf(current)
  useEffect(() => {
    const next = ids[Math.min(place.current, ids.length - 1)]
    // A row that went with the focus, as archived ones do, leaves it to the one in its place.
    if (at === -1 && place.current >= 0 && next !== undefined && document.activeElement === document.body) {
      setCurrent(next)
      document.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus()
    }
    place.current = at
  }, [at, ids])
  const move = (steps: number) => {
    const next = ids[at === -1 ? 0 : Math.min(ids.length - 1, Math.max(0, at + steps))]
    if (next === undefined) return
    setCurrent(next)
    document.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus()
  }
  useShortcut('j', 'Next row', () => move(1))
  useShortcut('k', 'Row before', () => move(-1))
  return { current: current !== undefined && ids.includes(current) ? current : undefined, setCurrent }
}

/** The same, with keys that act on the row that was focused last. */
export function useRowKeys(ids: readonly string[], { toggle, edit, archive }: Actions) {
  const focus = useRowFocus(ids)
  const onCurrent = (act: (id: string) => void) => () => {
    if (focus.current !== undefined) act(focus.current)
  }
  useShortcut('x', 'Select the row', onCurrent(toggle))
  useShortcut(
    edit && 'e',
    'Edit it',
    onCurrent((id) => edit?.(id)),
  )
  useShortcut(
    archive && '#',
    'Archive it',
    onCurrent((id) => archive?.(id)),
  )
  return focus
}
