import { Anchor, Table, Text, UnstyledButton } from '@mantine/core'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useState } from 'react'
import { formatCount, formatDuration } from '../../components/text/time-text.ts'
import type { Usage } from './usage-parts.ts'
import classes from './call-table.module.css'

export type CallRow = Usage<'calls'>['rows'][number]

/** `from`: the smallest screens with room for the column. */
const columns = [
  { name: 'calls', head: 'Calls', format: formatCount, from: undefined },
  { name: 'errors', head: 'Failed', format: formatCount, from: undefined },
  { name: 'refused', head: 'Rejected', format: formatCount, from: 'md' },
  { name: 'p50Ms', head: 'Median', format: formatDuration, from: undefined },
  { name: 'p95Ms', head: '95% within', format: formatDuration, from: 'md' },
  { name: 'embeddingTokens', head: 'Embedding tokens', format: formatCount, from: 'md' },
] as const

type Column = 'name' | (typeof columns)[number]['name']
interface Sort {
  column: Column
  isDown: boolean
}

/** The name of a row. A deleted agent has no label, so part of its id is shown. */
const nameOf = ({ operation, integrationId, label }: CallRow): string =>
  operation ?? label ?? `Deleted agent (${integrationId?.slice(-6) ?? ''})`

interface Props {
  label: string
  /** The heading of the first column. */
  head: string
  rows: readonly CallRow[]
  /** Filters the page by the row that was clicked. */
  onChoose: (row: CallRow) => void
}

export function CallTable({ label, head, rows, onChoose }: Props) {
  const [sort, setSort] = useState<Sort>({ column: 'calls', isDown: true })
  const sortBy = (column: Column) =>
    setSort((before) => ({ column, isDown: before.column === column ? !before.isDown : column !== 'name' }))
  // A column of zeros says nothing.
  const shown = columns.filter(
    ({ name }) => (name !== 'errors' && name !== 'refused') || rows.some((row) => row[name] > 0),
  )
  return (
    <Table.ScrollContainer minWidth={320} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <SortHead head={head} column="name" sort={sort} onSort={sortBy} />
            {shown.map(({ name, head: title, from }) => (
              <SortHead key={name} head={title} column={name} from={from} sort={sort} onSort={sortBy} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorted(rows, sort).map((row) => (
            <Table.Tr key={row.operation ?? row.integrationId}>
              <Table.Td>
                <Anchor component="button" type="button" ta="left" onClick={() => onChoose(row)}>
                  {nameOf(row)}
                </Anchor>
              </Table.Td>
              {shown.map(({ name, format, from }) => (
                <Table.Td
                  key={name}
                  ta="right"
                  className={classes.number}
                  {...(from !== undefined && { visibleFrom: from })}
                >
                  {row[name] === null ? <Text c="dimmed">–</Text> : format(row[name])}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

interface HeadProps {
  head: string
  column: Column
  from?: 'md' | undefined
  sort: Sort
  onSort: (column: Column) => void
}

function SortHead({ head, column, from, sort, onSort }: HeadProps) {
  const isSorted = sort.column === column
  const Arrow = isSorted && !sort.isDown ? ArrowUp : ArrowDown
  return (
    <Table.Th
      scope="col"
      ta={column === 'name' ? 'left' : 'right'}
      {...(from !== undefined && { visibleFrom: from })}
      aria-sort={isSorted ? (sort.isDown ? 'descending' : 'ascending') : undefined}
    >
      <UnstyledButton
        className={classes.sort}
        data-sorted={isSorted}
        data-end={column !== 'name'}
        onClick={() => onSort(column)}
      >
        {head}
        <Arrow size={13} aria-hidden />
      </UnstyledButton>
    </Table.Th>
  )
}

function sorted(rows: readonly CallRow[], { column, isDown }: Sort): CallRow[] {
  const rising = rows.toSorted((a, b) =>
    column === 'name' ? nameOf(a).localeCompare(nameOf(b)) : (a[column] ?? -1) - (b[column] ?? -1),
  )
  return isDown ? rising.toReversed() : rising
}
