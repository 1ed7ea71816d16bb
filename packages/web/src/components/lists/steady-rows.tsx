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
  const [shown, setShown] = useState({ name, fresh, rows: fresh, newCount: 0, gone: noIds })
  let current = shown
  if (name !== undefined && (shown.fresh !== fresh || shown.name !== name)) {
    const isHeld = shown.name === name && (shown.newCount > 0 || isBusy())
    const steady = shown.name === name ? keepSteady(shown, fresh, idOf) : { gone: noIds }
    current = { name, fresh, rows: fresh, newCount: 0, ...(isHeld ? steady : { gone: steady.gone }) }
    setShown(current)
  }
  return {
    rows: current.rows,
    newCount: current.newCount,
    showNew() {
      setShown({ ...current, rows: fresh, newCount: 0 })
      window.scrollTo({ top: 0 })
    },
  }
}

const noIds: ReadonlySet<string> = new Set()

export interface Steady<Row> {
  rows: readonly Row[]
  /** How many new rows are held back. */
  newCount: number
  /** Rows that were removed while the list was shown. */
  gone: ReadonlySet<string>
}

/**
 * Updates a list while someone reads it: rows keep their places and get their new contents, removed rows disappear, rows that would be
 * inserted between them are only counted, and rows after the last are added. Rows that newer ones pushed off the page stay. A row that
 * had been removed returns to its place at once: someone has just undone that, and looks for it.
 */
export function keepSteady<Row>(
  shown: Pick<Steady<Row>, 'rows' | 'gone'>,
  fresh: readonly Row[],
  idOf: (row: Row) => string,
): Steady<Row> {
  const shownIds = new Set(shown.rows.map(idOf))
  const freshById = new Map(fresh.map((row) => [idOf(row), row]))
  const lastKept = shown.rows.findLastIndex((row) => freshById.has(idOf(row)))
  // A different list.
  if (lastKept === -1) return { rows: fresh, newCount: 0, gone: noIds }
  const lastId = shown.rows[lastKept]
  const end = lastId === undefined ? 0 : fresh.findIndex((row) => idOf(row) === idOf(lastId))
  const added = fresh.slice(0, end).filter((row) => !shownIds.has(idOf(row)))
  const returned = added.filter((row) => shown.gone.has(idOf(row)))
  const newCount = added.length - returned.length
  const rows: Row[] = shown.rows.slice(0, lastKept + 1).flatMap((row) => freshById.get(idOf(row)) ?? [])
  for (const row of returned) {
    const before = new Set(fresh.slice(0, fresh.indexOf(row)).map(idOf))
    rows.splice(rows.findLastIndex((one) => before.has(idOf(one))) + 1, 0, row)
  }
  const pushedOff = shown.rows.slice(lastKept + 1, lastKept + 1 + newCount)
  rows.push(...pushedOff, ...fresh.slice(end + 1).filter((row) => !shownIds.has(idOf(row))))
  const here = new Set([...fresh, ...pushedOff].map(idOf))
  return { rows, newCount, gone: new Set([...shown.gone, ...shownIds].filter((id) => !here.has(id))) }
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
