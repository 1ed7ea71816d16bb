import { useCallback, useState, type MouseEvent, type ReactNode } from 'react'
import { Button, Table } from '@mantine/core'
import classes from './list-table.module.css'
import { useIsOnPhone } from '../../shell/use-is-on-phone.ts'

export interface Selection {
  /** In the order of the list. Rows that left the page are no longer selected. */
  ids: readonly string[]
  isAll: boolean
  /** Whether a person began to select, or selected a row another way. Phones then show checkboxes, and taps on rows select them. */
  isOn: boolean
  begin: () => void
  toggle: (id: string) => void
  toggleAll: () => void
  clear: () => void
}

/** The selected rows of the current page. */
export function useSelection(shown: readonly string[]): Selection {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [hasBegun, setBegun] = useState(false)
  const ids = shown.filter((id) => ticked.has(id))
  // A row that left the page isn't selected when it comes back.
  if (ids.length < ticked.size) setTicked(new Set(ids))
  const isAll = shown.length > 0 && ids.length === shown.length
  // A stable function, so that rows whose selection didn't change don't render again.
  const toggle = useCallback(
    (id: string) =>
      setTicked((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id])),
    [],
  )
  return {
    ids,
    isAll,
    isOn: hasBegun || ids.length > 0,
    begin: () => setBegun(true),
    toggle,
    toggleAll: () => setTicked(new Set(isAll ? [] : shown)),
    clear() {
      setTicked(new Set())
      setBegun(false)
    },
  }
}

/** Whether a tap on a row selects it: on phones, from the switch until it is done. */
export function useTapsSelect({ isOn }: Selection): boolean {
  const isOnPhone = useIsOnPhone()
  return isOnPhone && isOn
}

/** For the capture of a row's clicks while taps select: its links select it as well, but its checkbox and its menu work as always. */
export const selectByTap = (onToggle: () => void) => (event: MouseEvent<HTMLElement>) => {
  const { target, currentTarget } = event
  if (!(target instanceof Element) || !currentTarget.contains(target) || target.closest('input, button') !== null)
    return
  event.preventDefault()
  event.stopPropagation()
  onToggle()
}

/** The header cell that selects all rows. */
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

/** On phones, begins and ends selecting, because rows there have no checkboxes until then. */
export const SelectSwitch = ({ selection: { isOn, begin, clear } }: { selection: Selection }) => (
  <Button
    size="compact-sm"
    variant={isOn ? 'light' : 'subtle'}
    className={classes.switch}
    onClick={isOn ? clear : begin}
  >
    {isOn ? 'Done' : 'Select'}
  </Button>
)

/** The same above a list without a visible head, next to what its head would say. */
export const SelectLine = ({ selection, children }: { selection: Selection; children?: ReactNode }) => (
  <div className={classes.selectLine}>
    {children}
    <SelectSwitch selection={selection} />
  </div>
)

interface RowCheckProps {
  label: string
  isChecked: boolean
  onToggle: () => void
}

/** The cell that selects a row. A click next to the checkbox does not open the row. */
export const RowCheck = ({ label, isChecked, onToggle }: RowCheckProps) => (
  <td className={classes.check} onClick={(event) => event.stopPropagation()}>
    <input type="checkbox" aria-label={label} checked={isChecked} onChange={onToggle} />
  </td>
)
