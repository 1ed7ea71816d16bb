import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './record-table.module.css'

interface Props {
  /** What the rows are, for screen readers. */
  label: string
  heads: readonly string[]
  /** A click on a row opens it. The first cell must also contain a link, for keyboard users. */
  rowsOpen?: boolean
  /** The rows. A cell has its column's title in `data-label` if small screens need it to say what the value is. */
  children: ReactNode
}

/** A table on wide screens, and a list with two lines per row on narrow ones. */
export function RecordTable({ label, heads, rowsOpen = false, children }: Props) {
  return (
    <Table className={classes.table} highlightOnHover={rowsOpen} data-rows-open={rowsOpen} aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          {heads.map((head) => (
            <Table.Th key={head} scope="col">
              {head}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  )
}
