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
  const listed = (known: ReadonlySet<string>, { rows, newCount }: Steady<Row> = { rows: fresh, newCount: 0 }) => ({
    name,
    fresh,
    rows,
    newCount,
    known: new Set([...known, ...rows.map(idOf)]),
  })
  const [shown, setShown] = useState(() => listed(new Set()))
  let current = shown
  if (name !== undefined && (shown.fresh !== fresh || shown.name !== name)) {
    const isSame = shown.name === name
    const isHeld = isSame && (shown.newCount > 0 || isBusy())
    const steady = isHeld ? keepSteady(shown.rows, fresh, { idOf, known: shown.known }) : undefined
    current = listed(isSame ? shown.known : new Set(), steady)
    setShown(current)
  }
  return {
    rows: current.rows,
    newCount: current.newCount,
    showNew() {
      setShown(listed(shown.known))
      window.scrollTo({ top: 0 })
    },
  }
}

export interface Steady<Row> {
  rows: readonly Row[]
  /** How many new rows are held back. */
  newCount: number
}

interface Listed<Row> {
  idOf: (row: Row) => string
  /** Rows that this list has shown before. */
  known: ReadonlySet<string>
}

/**
 * Updates a list while someone reads it: rows keep their places and get their new contents, removed rows disappear, rows that would be
 * inserted between them are only counted, and rows after the last are added. Rows that newer ones pushed off the page stay. A row that
 * had been removed returns to its place at once: someone has just undone that, and looks for it.
 */
export function keepSteady<Row>(
  shown: readonly Row[],
  fresh: readonly Row[],
  { idOf, known }: Listed<Row>,
): Steady<Row> {
  const shownIds = new Set(shown.map(idOf))
  const freshById = new Map(fresh.map((row) => [idOf(row), row]))
  const lastKept = shown.findLastIndex((row) => freshById.has(idOf(row)))
  // A different list.
  if (lastKept === -1) return { rows: fresh, newCount: 0 }
  const lastId = shown[lastKept]
  const end = lastId === undefined ? 0 : fresh.findIndex((row) => idOf(row) === idOf(lastId))
  const added = fresh.slice(0, end).filter((row) => !shownIds.has(idOf(row)))
  const newCount = added.filter((row) => !known.has(idOf(row))).length
  const kept: Row[] = shown.slice(0, lastKept + 1).flatMap((row) => freshById.get(idOf(row)) ?? [])
  for (const row of added.filter((one) => known.has(idOf(one)))) {
    const before = new Set(fresh.slice(0, fresh.indexOf(row)).map(idOf))
    kept.splice(kept.findLastIndex((one) => before.has(idOf(one))) + 1, 0, row)
  }
  const pushedOff = shown.slice(lastKept + 1).slice(0, newCount)
  return { rows: [...kept, ...pushedOff, ...fresh.slice(end + 1).filter((row) => !shownIds.has(idOf(row)))], newCount }
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
