import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './record-table.module.css'

interface Props {
  /** What the rows are, for screen readers. */
  label: string
  heads: readonly string[]
  /** A click on a row opens it. Its first cell holds a link as well, for keyboards. */
  rowsOpen?: boolean
  /** Rows; cells but the first carry their head as `data-label`, which small screens show. */
  children: ReactNode
}

/** A table on wide screens, and a list of cards on narrow ones. */
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
