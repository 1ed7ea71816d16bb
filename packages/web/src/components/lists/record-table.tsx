import { Table, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import openClasses from './open-rows.module.css'
import classes from './record-table.module.css'

interface Props {
  /** What the rows are, for screen readers. */
  label: string
  heads: readonly string[]
  /** The heads of columns of numbers. Their cells have `data-number`. */
  numbers?: readonly string[]
  /** The title of a last column with a menu, for screen readers. Its cells have `data-menu`. */
  menuHead?: string
  /** A click on a row opens it. The first cell must also contain a link, for keyboard users. */
  rowsOpen?: boolean
  /**
   * The rows. On small screens, the cells after the first are one line, joined by dots. If it needs to say what a value is, the cell has
   * words to read before the value in `data-label`, or after it in `data-unit`. `data-lower` is for words that begin with a capital letter, and
   * `data-button` for buttons, which are below the line. Cells with `data-wide` aren't shown there.
   */
  children: ReactNode
}

/** A table on wide screens, and a list with two lines per row on narrow ones. */
export function RecordTable({ label, heads, numbers, menuHead, rowsOpen = false, children }: Props) {
  return (
    <Table
      className={`${classes.table} ${openClasses.rows}`}
      highlightOnHover={rowsOpen}
      data-rows-open={rowsOpen}
      aria-label={label}
    >
      <Table.Thead>
        <Table.Tr>
          {heads.map((head) => (
            <Table.Th key={head} scope="col" data-number={numbers?.includes(head) === true || undefined}>
              {head}
            </Table.Th>
          ))}
          {menuHead !== undefined && (
            <Table.Th scope="col">
              <VisuallyHidden>{menuHead}</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  )
}
