import type { MouseEvent } from 'react'

/** Whether a click follows a link in this tab. Others, such as with Ctrl, are left to the browser. */
export const isPlainClick = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey
