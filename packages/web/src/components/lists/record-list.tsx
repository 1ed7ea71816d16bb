import { Button, Text } from '@mantine/core'
import { SearchX, X, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useShortcut } from '../../shell/shortcuts.ts'
import { EmptyState } from '../feedback/empty-state.tsx'
import { formatCount } from '../text/time-text.ts'
import classes from './record-list.module.css'
import { useSelection } from './selection.tsx'
import type { OpenRecord } from './use-open-record.ts'
import { useRowKeys } from './use-row-keys.ts'
import { useMay } from '../../shell/role.ts'

/** The parts that pages with a list of records share: keys, the bulk bar, and the empty filter result. */

interface KeyActions {
  edit?: (id: string) => void
  archive?: (id: string) => void
  /** Whether Escape clears the selection. Default: true. */
  hasEscape?: boolean
  /** The record that is open next to the list. */
  opened?: Pick<OpenRecord, 'id' | 'walk'>
}

/** The selection of a list and its keys: j, k, x, e, # and Escape. Viewers can do nothing with a selection, so they have none. */
export function useSelectableRows<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  { hasEscape = true, ...actions }: KeyActions,
) {
  const ids = rows.map(idOf)
  const selection = useSelection(ids)
  const { opened } = actions
  const mayEdit = useMay('editor')
  const { current, setCurrent } = useRowKeys(ids, mayEdit ? { toggle: selection.toggle, ...actions } : { opened })
  // Bound only now, so that it takes precedence over what else Escape closes.
  useShortcut(hasEscape && selection.isOn ? 'Escape' : undefined, 'Clear the selection', selection.clear)
  const selected = rows.filter((row) => selection.ids.includes(idOf(row)))
  return { selection, selected, current, setCurrent }
}

interface BulkBarProps {
  /** The singular and plural, such as "memory" and "memories". */
  one: string
  many: string
  count: number
  /** Above the list instead of at the bottom of the screen. */
  isAbove?: boolean
  onClear: () => void
  children: ReactNode
}

/** The actions on all selected records. */
export function BulkBar({ one, many, count, isAbove = false, onClear, children }: BulkBarProps) {
  return (
    <section className={isAbove ? classes.above : classes.bar} data-raised aria-label={`Selected ${many}`}>
      <Text fw={550} px={4} className={classes.count} aria-live="polite">
        {formatCount(count)} <span className={classes.noun}>{count === 1 ? one : many} </span>selected
      </Text>
      <div className={classes.actions}>{children}</div>
      <Button
        size="xs"
        variant="default"
        leftSection={<X size={14} aria-hidden />}
        className={classes.clear}
        onClick={onClear}
      >
        Clear
      </Button>
    </section>
  )
}

interface BulkButtonProps {
  icon: LucideIcon
  isBusy?: boolean
  isDisabled?: boolean
  onClick: () => void
  children: string
}

export const BulkButton = ({ icon: Icon, isBusy = false, isDisabled = false, onClick, children }: BulkButtonProps) => (
  <Button
    size="xs"
    variant="default"
    leftSection={<Icon size={14} aria-hidden />}
    loading={isBusy}
    disabled={isDisabled}
    onClick={onClick}
  >
    {children}
  </Button>
)

/** Shown if no record matches the filter. */
export const NoMatches = ({ what, onClear }: { what: string; onClear: () => void }) => (
  <EmptyState
    icon={SearchX}
    action={
      <Button variant="default" onClick={onClear}>
        Clear the filter
      </Button>
    }
  >
    No {what} match this filter.
  </EmptyState>
)
