import type { KeyboardEvent } from 'react'

/** Whether Escape was pressed and nothing else handles it, such as the open list of a Select. Mantine marks that one with an attribute. */
export const isEscape = ({ key, target, defaultPrevented }: KeyboardEvent): boolean =>
  key === 'Escape' &&
  !defaultPrevented &&
  !(target instanceof HTMLElement && target.dataset['mantineStopPropagation'] === 'true')
