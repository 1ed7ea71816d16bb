import classes from './list-table.module.css'

interface Props {
  label: string
  isChecked: boolean
  onToggle: () => void
}

/** The cell that ticks a row. A click beside the box opens nothing. */
export const RowCheck = ({ label, isChecked, onToggle }: Props) => (
  <td className={classes.check} onClick={(event) => event.stopPropagation()}>
    <input type="checkbox" aria-label={label} checked={isChecked} onChange={onToggle} />
  </td>
)
