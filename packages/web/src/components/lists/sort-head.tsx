import { Table } from '@mantine/core'
import { ArrowDown, ArrowUp } from 'lucide-react'
import classes from './sort-head.module.css'

interface Props {
  title: string
  /** Undefined if the list isn't sorted by this column. */
  sorted: 'ascending' | 'descending' | undefined
  onSort: () => void
  className?: string | undefined
}

/** The head of a column that sorts the list. */
export const SortHead = ({ title, sorted, onSort, className }: Props) => (
  <Table.Th scope="col" className={className} aria-sort={sorted}>
    <button type="button" className={classes.sort} onClick={onSort}>
      {title}
      {sorted === 'descending' && <ArrowDown size={13} aria-hidden />}
      {sorted === 'ascending' && <ArrowUp size={13} aria-hidden />}
    </button>
  </Table.Th>
)
