import { Table, VisuallyHidden } from '@mantine/core'
import { memo, type MouseEvent, type ReactNode } from 'react'
import { fromFirstMatch, markWords } from '../text/mark-words.tsx'
import { isPlainClick } from '../../shell/plain-click.ts'
import { usePreference, type ListName } from '../../shell/preferences.ts'
import openClasses from './open-rows.module.css'
import classes from './record-rows.module.css'
import { SortHead } from './sort-head.tsx'
import { RowCheck, selectByTap, SelectAll, SelectSwitch, useTapsSelect, type Selection } from './selection.tsx'
import { useAddresses, type OpenRecord } from './use-open-record.ts'
import { useMay } from '../../shell/role.ts'
import { useIsOnPhone } from '../../shell/use-is-on-phone.ts'

interface Column<Row> {
  name: string
  title: string
  /** Lists with less room don't show it. `apart`: as `medium`, but not next to an open record. Default: all but those of phones. */
  room?: 'medium' | 'apart' | 'wide'
  /** Whether the column is hidden until a person chooses it. */
  isExtra?: boolean
  /** What the server sorts by after the first and the second click on the title. */
  sorts?: readonly [first: string, second?: string]
  cell: (row: Row) => ReactNode
}

/** How a list shows its records. Each list has one, outside of its components, so that rows don't render again without need. */
export interface RowLooks<Row> {
  list: ListName
  /** Names the table and the column of titles. */
  label: string
  idOf: (row: Row) => string
  titleOf: (row: Row) => string
  columns: readonly Column<Row>[]
  /** On phones, before the title. */
  lead?: (row: Row) => ReactNode
  /** In the line of the title. */
  marks: (row: Row) => ReactNode
  /** On phones, below the title: the values, because there are no columns. */
  folded: (row: Row) => ReactNode
  /** The last cell, such as a menu. */
  end?: (row: Row, onToggle: () => void) => ReactNode
}

interface Props<Row> {
  looks: RowLooks<Row>
  rows: readonly Row[]
  /** How many records match, such as "12 memories". */
  count: string
  selection: Selection
  record: OpenRecord
  /** Called when another row gets the focus, which keys act on. */
  onFocus: (id: string) => void
  /** What the list is sorted by. */
  sort: string
  /** '' for the list's own order. */
  onSort: (sort: string) => void
  /** A query, whose words are marked in the titles. */
  marked?: string
}

/** The columns that a person sees if there is room. */
export function useColumns<Row>({ list, columns }: RowLooks<Row>): readonly Column<Row>[] {
  const chosen = usePreference('columns')
  const names = chosen[list]
  return columns.filter(({ name, isExtra = false }) => (names === undefined ? !isExtra : names.includes(name)))
}

/** A table with a row of one line for each record. On phones, a list. */
export function RecordRows<Row>({
  looks,
  rows,
  count,
  selection,
  record,
  onFocus,
  sort,
  onSort,
  marked = '',
}: Props<Row>) {
  const density = usePreference('density')
  const mayEdit = useMay('editor')
  const isOnPhone = useIsOnPhone()
  const chosen = useColumns(looks)
  const columns = isOnPhone ? [] : chosen
  const names = columns.map(({ name }) => name).join()
  const tapsSelect = useTapsSelect(selection)
  const addressOf = useAddresses(looks.list)
  return (
    <Table
      className={`${classes.table} ${openClasses.rows}`}
      data-density={density}
      data-selecting={selection.isOn}
      data-beside={record.id !== undefined}
      aria-label={looks.label}
    >
      <Table.Thead>
        <Table.Tr>
          {mayEdit && <SelectAll selection={selection} />}
          <Table.Th scope="col" aria-live="polite">
            <div className={classes.count}>
              <span>{count}</span>
              {mayEdit && <SelectSwitch selection={selection} />}
            </div>
          </Table.Th>
          {columns.map((column) => (
            <Head key={column.name} column={column} sort={sort} onSort={onSort} />
          ))}
          {mayEdit && looks.end !== undefined && (
            <Table.Th scope="col" className={classes.end}>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <RecordRow
            key={looks.idOf(row)}
            looks={looks as RowLooks<unknown>}
            row={row}
            columns={names}
            isOnPhone={isOnPhone}
            isSelected={selection.ids.includes(looks.idOf(row))}
            isOpen={looks.idOf(row) === record.id}
            mayEdit={mayEdit}
            tapsSelect={tapsSelect}
            marked={marked}
            onToggle={selection.toggle}
            address={addressOf(looks.idOf(row), looks.idOf(row) === record.id)}
            onOpen={record.open}
            onFocus={onFocus}
          />
        ))}
      </Table.Tbody>
    </Table>
  )
}

interface HeadProps<Row> {
  column: Column<Row>
  sort: string
  onSort: (sort: string) => void
}

/** The title of a column. Clicks sort by it, the other way round if there is one, and then in the list's own order again. */
function Head<Row>({ column: { title, room, sorts }, sort, onSort }: HeadProps<Row>) {
  if (sorts === undefined)
    return (
      <Table.Th scope="col" className={classOf(room)}>
        {title}
      </Table.Th>
    )
  const at = sorts.indexOf(sort)
  const next = sorts[at + 1] ?? ''
  return (
    <SortHead
      title={title}
      className={classOf(room)}
      sorted={at < 0 ? undefined : at === 0 ? 'descending' : 'ascending'}
      onSort={() => onSort(next)}
    />
  )
}

const classOf = (room: Column<unknown>['room']) =>
  room === undefined ? classes.cell : `${classes.cell} ${classes[room]}`

interface RowProps {
  looks: RowLooks<unknown>
  row: unknown
  /** The names of the shown columns, which phones don't have. */
  columns: string
  isOnPhone: boolean
  isSelected: boolean
  isOpen: boolean
  /** Whether there is anything that the person can do with a row. */
  mayEdit: boolean
  tapsSelect: boolean
  marked: string
  address: string
  onToggle: (id: string) => void
  onOpen: OpenRecord['open']
  onFocus: (id: string) => void
}

/** Memoized because the page renders on every search step, and rows take most of that time. */
const RecordRow = memo(function RecordRow({
  looks,
  row,
  columns,
  isOnPhone,
  isSelected,
  isOpen,
  mayEdit,
  tapsSelect,
  marked,
  address,
  onToggle,
  onOpen,
  onFocus,
}: RowProps) {
  const id = looks.idOf(row)
  const title = looks.titleOf(row)
  const names = columns.split(',')
  const toggle = () => onToggle(id)
  const follow = (event: MouseEvent) => {
    event.stopPropagation()
    if (!isPlainClick(event)) return
    event.preventDefault()
    onOpen(id, isOpen)
  }
  return (
    <tr
      onClickCapture={tapsSelect ? selectByTap(toggle) : undefined}
      onClick={() => onOpen(id)}
      onFocus={() => onFocus(id)}
      data-selected={isSelected}
      data-open={isOpen}
    >
      {mayEdit && <RowCheck label={`Select ${title.slice(0, 80)}`} isChecked={isSelected} onToggle={toggle} />}
      <td className={classes.main}>
        {isOnPhone && looks.lead !== undefined && <span className={classes.lead}>{looks.lead(row)}</span>}
        <div className={classes.line}>
          <a
            href={address}
            className={classes.title}
            data-row={id}
            {...(isOpen && { 'aria-current': 'true' as const })}
            onClick={follow}
          >
            {marked === '' ? title : markWords(fromFirstMatch(title, marked), marked)}
          </a>
          <span className={classes.marks}>
            {isOnPhone && <span className={classes.folded}>{looks.folded(row)}</span>}
            {looks.marks(row)}
          </span>
        </div>
      </td>
      {looks.columns
        .filter(({ name }) => names.includes(name))
        .map(({ name, room, cell }) => (
          <td key={name} className={classOf(room)}>
            {cell(row)}
          </td>
        ))}
      {mayEdit && looks.end !== undefined && (
        <td className={classes.end} onClick={(event) => event.stopPropagation()}>
          {looks.end(row, toggle)}
        </td>
      )}
    </tr>
  )
})
