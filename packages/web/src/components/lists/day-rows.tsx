import { Table } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { nameDay, dayOf } from '../text/days.ts'
import { useNow } from '../text/moment.tsx'
import classes from './day-rows.module.css'

interface Props<Row> {
  /** In the order of their times. */
  rows: readonly Row[]
  idOf: (row: Row) => string
  atOf: (row: Row) => string
  /** The number of columns of the table. */
  columns: number
  children: (row: Row) => ReactNode
}

/** Rows of a table with a heading above the first one of each day. */
export function DayRows<Row>({ rows, idOf, atOf, columns, children }: Props<Row>) {
  const now = new Date(useNow())
  const days = rows.map((row) => dayOf(new Date(atOf(row))))
  return rows.map((row, index) => {
    const day = days[index] ?? ''
    return (
      <Fragment key={idOf(row)}>
        {day !== days[index - 1] && (
          <Table.Tr className={classes.day}>
            <Table.Th scope="colgroup" colSpan={columns}>
              {nameDay(day, now)}
            </Table.Th>
          </Table.Tr>
        )}
        {children(row)}
      </Fragment>
    )
  })
}
