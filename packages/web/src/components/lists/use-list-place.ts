import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * For a list that an open record replaces on some screens: closing the record returns to the same place of the list, with the
 * focus on the record's row. The router must not scroll when records are opened and closed.
 */
export function useListPlace(list: RefObject<HTMLElement | null>, openId: string | undefined): void {
  const top = useRef(0)
  const leftId = useRef<string>(undefined)
  useEffect(() => {
    const keepTop = () => {
      if (isShown(list.current)) top.current = window.scrollY
    }
    window.addEventListener('scroll', keepTop, { passive: true })
    return () => window.removeEventListener('scroll', keepTop)
  }, [list])
  useLayoutEffect(() => {
    const id = leftId.current
    leftId.current = openId
    if (openId === undefined && id !== undefined) {
      window.scrollTo({ top: top.current })
      if (document.activeElement === document.body)
        document.querySelector<HTMLElement>(`[data-row="${id}"]`)?.focus({ preventScroll: true })
    } else if (openId !== undefined && !isShown(list.current)) window.scrollTo({ top: 0 })
  }, [list, openId])
}

const isShown = (element: HTMLElement | null) => element !== null && element.offsetParent !== null
