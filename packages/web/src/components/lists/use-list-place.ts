import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * Keeps the place of a list while a record is open. Closing the record puts the focus on the record's row. `isAlone`: the record replaces
 * the list, which has the same place when it is back. The router must not scroll when records are opened and closed.
 */
export function useListPlace(list: RefObject<HTMLElement | null>, openId: string | undefined, isAlone = true): void {
  const top = useRef(0)
  const before = useRef<{ openId: string | undefined; isShown: boolean }>({ openId: undefined, isShown: true })
  useEffect(() => {
    const keepTop = () => {
      if (isShown(list.current, before.current.openId)) top.current = window.scrollY
    }
    window.addEventListener('scroll', keepTop, { passive: true })
    return () => window.removeEventListener('scroll', keepTop)
  }, [list])
  useLayoutEffect(() => {
    const { openId: leftId, isShown: wasShown } = before.current
    const isBack = isShown(list.current, openId)
    before.current = { openId, isShown: isBack }
    if (!isBack && openId !== undefined) window.scrollTo({ top: 0 })
    if (!isBack || leftId === undefined) return
    if (!wasShown) window.scrollTo({ top: top.current })
    if (openId === undefined && document.activeElement === document.body)
      document.querySelector<HTMLElement>(`[data-row="${leftId}"]`)?.focus({ preventScroll: true })
  }, [list, openId, isAlone])
}

/** Without an open record, the browser isn't asked, because it would have to lay out the whole list for the answer. */
const isShown = (list: HTMLElement | null, openId: string | undefined) =>
  list !== null && (openId === undefined || list.offsetParent !== null)
