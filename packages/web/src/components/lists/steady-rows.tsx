import { useState } from 'react'
import { Button } from '@mantine/core'
import { ArrowUp } from 'lucide-react'
import { formatCount } from '../text/time-text.ts'
import classes from './steady-rows.module.css'

interface Options<Row> {
  idOf: (row: Row) => string
  /** Identifies the list. Under another name, new rows are shown at once. Undefined while it loads. */
  name: string | undefined
}

interface SteadyRows<Row> {
  rows: readonly Row[]
  newCount: number
  showNew: () => void
}

const nearTopPx = 80

/** The person has scrolled, or selected, opened or focused a row. If rows moved now, they would lose their place or click the wrong row. */
const isBusy = () =>
  window.scrollY > nearTopPx ||
  document.querySelector('main :is([data-selected="true"], [data-open="true"])') !== null ||
  (document.activeElement?.closest('[data-row]') ?? null) !== null

/** The rows of a list that refreshes by itself. While the person works in the list, new rows wait until they are requested. */
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

export interface Steady<Row> {
  rows: readonly Row[]
  /** How many new rows are held back. */
  newCount: number
}

/**
 * Updates a list while someone reads it: rows keep their places and get their new contents, removed rows disappear, rows that would be
 * inserted between them are only counted, and rows after the last are added. Rows that newer ones pushed off the page stay.
 */
export function keepSteady<Row>(shown: readonly Row[], fresh: readonly Row[], idOf: (row: Row) => string): Steady<Row> {
  const shownIds = new Set(shown.map(idOf))
  const freshById = new Map(fresh.map((row) => [idOf(row), row]))
  const lastKept = shown.findLastIndex((row) => freshById.has(idOf(row)))
  // A different list.
  if (lastKept === -1) return { rows: fresh, newCount: 0 }
  const lastId = shown[lastKept]
  const end = lastId === undefined ? 0 : fresh.findIndex((row) => idOf(row) === idOf(lastId))
  const isNew = (row: Row) => !shownIds.has(idOf(row))
  const newCount = fresh.slice(0, end).filter(isNew).length
  const kept = shown.slice(0, lastKept + 1).flatMap((row) => freshById.get(idOf(row)) ?? [])
  const pushedOff = shown.slice(lastKept + 1).slice(0, newCount)
  return { rows: [...kept, ...pushedOff, ...fresh.slice(end + 1).filter(isNew)], newCount }
}

/** Says how many rows arrived while the list was read. A click shows them. */
export function NewRows({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div role="status" className={classes.place}>
      {count > 0 && (
        <Button size="compact-sm" radius="xl" leftSection={<ArrowUp size={14} aria-hidden />} onClick={onShow}>
          {formatCount(count)} new
        </Button>
      )}
    </div>
  )
}
