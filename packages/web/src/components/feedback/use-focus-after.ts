import { useEffect, useEffectEvent, useRef } from 'react'

/**
 * For a component that disappears after its button was pressed, and the focus with it: the focus then goes to what `find` returns, unless the
 * person has moved it. Call the result when the button is pressed.
 */
export function useFocusAfter(find: () => HTMLElement | null): () => void {
  const isUsed = useRef(false)
  const leave = useEffectEvent(() => {
    if (isUsed.current && document.activeElement === document.body) find()?.focus()
  })
  useEffect(() => () => leave(), [])
  return () => void (isUsed.current = true)
}
