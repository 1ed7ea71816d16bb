import { useLayoutEffect, useRef, useState } from 'react'
import { useShortcut } from '../../shell/shortcuts.ts'
import type { OpenRecord } from './use-open-record.ts'

interface Actions {
  toggle?: (id: string) => void
  /** Omit these if `e` and `#` mean something else, such as next to an open record. */
  edit?: (id: string) => void
  archive?: (id: string) => void
  opened?: Pick<OpenRecord, 'id' | 'walk'> | undefined
}

interface Options {
  opened?: Pick<OpenRecord, 'id' | 'walk'> | undefined
  /** The first row is the current one until a person moves, for keys that act at once. */
  beginsAtFirst?: boolean
}

/**
 * j and k move the focus between the links of a list's rows (`data-row`), so Enter opens them and screen readers follow. While a record is
 * open next to the list, they open the next and the previous one.
 */
export function useRowFocus(ids: readonly string[], { opened, beginsAtFirst = false }: Options = {}) {
  const [current, setCurrent] = useState<string>()
  const place = useRef(-1)
  const at = current === undefined ? -1 : ids.indexOf(current)
  // Before the page is painted, so that no key comes in between.
  useLayoutEffect(() => {
    const next = ids[Math.min(Math.max(place.current, 0), ids.length - 1)]
    const lostFocus = place.current >= 0 && document.activeElement === document.body
    // If the current row disappears, such as by archiving, the row in its place is the current one.
    if (at === -1 && next !== undefined && (lostFocus || beginsAtFirst)) {
      setCurrent(next)
      if (lostFocus) document.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus()
    }
    place.current = at
  }, [at, ids, beginsAtFirst])
  const move = (steps: number) => {
    // The open record may have left the list, such as by archiving it.
    const start = opened?.id === undefined || !ids.includes(opened.id) ? at : ids.indexOf(opened.id)
    const next = ids[start === -1 ? 0 : Math.min(ids.length - 1, Math.max(0, start + steps))]
    if (next === undefined) return
    setCurrent(next)
    document.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus()
    if (opened?.id !== undefined && opened.id !== next) opened.walk(next)
  }
  useShortcut('j', 'Next row', () => move(1))
  useShortcut('k', 'Previous row', () => move(-1))
  const acting = [current, opened?.id].find((id) => id !== undefined && ids.includes(id))
  return { current: acting, setCurrent }
}

/** Adds keys that act on the last focused row. */
export function useRowKeys(ids: readonly string[], { toggle, edit, archive, opened }: Actions) {
  const focus = useRowFocus(ids, { opened })
  const onCurrent = (act: (id: string) => void) => () => {
    if (focus.current !== undefined) act(focus.current)
  }
  useShortcut(
    toggle && 'x',
    'Select the row',
    onCurrent((id) => toggle?.(id)),
  )
  // The open record may not be in the list, such as one that a search found.
  const edited = focus.current ?? opened?.id
  useShortcut(edit && 'e', 'Edit', () => edited !== undefined && edit?.(edited))
  useShortcut(
    archive && '#',
    'Archive or move to trash',
    onCurrent((id) => archive?.(id)),
  )
  return focus
}
