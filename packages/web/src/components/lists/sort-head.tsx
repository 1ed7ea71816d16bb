import { Table, type TableThProps } from '@mantine/core'
import { ArrowDown, ArrowUp } from 'lucide-react'
import classes from './sort-head.module.css'

interface Props extends Pick<TableThProps, 'visibleFrom'> {
  title: string
  /** Undefined if the list isn't sorted by this column. */
  sorted: 'ascending' | 'descending' | undefined
  /** Whether the column holds numbers: then the title ends where they do. */
  isNumber?: boolean
  onSort: () => void
  className?: string | undefined
}

/** The head of a column that sorts the list. */
export const SortHead = ({ title, sorted, isNumber = false, onSort, ...head }: Props) => (
  <Table.Th scope="col" aria-sort={sorted} ta={isNumber ? 'end' : 'start'} {...head}>
    <button type="button" className={classes.sort} data-number={isNumber || undefined} onClick={onSort}>
      {title}
      {sorted === 'descending' && <ArrowDown size={13} aria-hidden />}
      {sorted === 'ascending' && <ArrowUp size={13} aria-hidden />}
    </button>
  </Table.Th>
)
