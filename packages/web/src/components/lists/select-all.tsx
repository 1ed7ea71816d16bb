import { Table } from '@mantine/core'
import classes from './list-table.module.css'
import type { Selection } from './use-selection.ts'

/** The head of the column that ticks rows. */
export const SelectAll = ({ selection: { ids, isAll, toggleAll } }: { selection: Selection }) => (
  <Table.Th scope="col" className={classes.check}>
    <input
      type="checkbox"
      aria-label="Select all on this page"
      checked={isAll}
      ref={(box) => void (box && (box.indeterminate = ids.length > 0 && !isAll))}
      onChange={toggleAll}
    />
  </Table.Th>
)
