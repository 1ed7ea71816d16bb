import { Anchor, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { SortHead } from '../../components/lists/sort-head.tsx'
import { formatCount, formatDuration } from '../../components/text/time-text.ts'
import { nameOperation } from '../activity/activity-words.ts'
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

/** The name of a row, in the words of Activity. A deleted agent has no label, so part of its id is shown. */
const nameOf = ({ operation, integrationId, label }: CallRow): string =>
  operation === null ? (label ?? `Deleted agent (${integrationId?.slice(-6) ?? ''})`) : nameOperation(operation)

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
  const sortedBy = (column: Column) => (sort.column !== column ? undefined : sort.isDown ? 'descending' : 'ascending')
  // A column of zeros says nothing.
  const shown = columns.filter(
    ({ name }) => (name !== 'errors' && name !== 'refused') || rows.some((row) => row[name] > 0),
  )
  return (
    <Table.ScrollContainer minWidth={320} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={label} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <SortHead title={head} sorted={sortedBy('name')} onSort={() => sortBy('name')} />
            {shown.map(({ name, head: title, from }) => (
              <SortHead
                key={name}
                isNumber
                title={title}
                sorted={sortedBy(name)}
                onSort={() => sortBy(name)}
                {...(from !== undefined && { visibleFrom: from })}
              />
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
                {row.operation !== null && (
                  <Text span size="xs" c="dimmed" visibleFrom="sm">
                    {' '}
                    {row.operation}
                  </Text>
                )}
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

function sorted(rows: readonly CallRow[], { column, isDown }: Sort): CallRow[] {
  const rising = rows.toSorted((a, b) =>
    column === 'name' ? nameOf(a).localeCompare(nameOf(b)) : (a[column] ?? -1) - (b[column] ?? -1),
  )
  return isDown ? rising.toReversed() : rising
}
