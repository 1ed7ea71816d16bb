import { useState } from 'react'
import { keepSteady } from './keep-steady.ts'

interface Options<Row> {
  idOf: (row: Row) => string
  /** What the list is of: another name is another list, which is shown as it comes. Undefined while it is not there yet. */
  name: string | undefined
}

interface SteadyRows<Row> {
  rows: readonly Row[]
  newCount: number
  showNew: () => void
}

const nearTopPx = 80

/** Somebody has scrolled, ticked a row, or stands on one: what moved now would be lost from sight, or hit in its place. */
const isBusy = () =>
  window.scrollY > nearTopPx ||
  document.querySelector('main [data-selected="true"]') !== null ||
  (document.activeElement?.closest('[data-row]') ?? null) !== null

/** The rows of a list that refreshes by itself: in place while nobody is at work in it, else held until they are asked for. */
export function useSteadyRows<Row>(fresh: readonly Row[], { idOf, name }: Options<Row>): SteadyRows<Row> {
  const [shown, setShown] = useState({ name, fresh, rows: fresh, newCount: 0 })
  let current = shown
  if (name !== undefined && (shown.fresh !== fresh || shown.name !== name)) {
    const isHeld = shown.name === name && (shown.newCount > 0 || isBusy())
    current = { name, fresh, ...(isHeld ? keepSteady(shown.rows, fresh, idOf) : { rows: fresh, newCount: 0 }) }
    setShown(current)
  }
  return {
    rows: current.rows,
    newCount: current.newCount,
    showNew() {
      setShown({ name, fresh, rows: fresh, newCount: 0 })
      window.scrollTo({ top: 0 })
    },
  }
}
