import { Anchor, Box, Table } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import type { OutputOf } from '../../api/call.ts'
import tableClasses from '../../components/lists/record-table.module.css'
import { SortHead } from '../../components/lists/sort-head.tsx'
import { useRowFocus } from '../../components/lists/use-row-keys.ts'
import { fragmentOf } from '../../components/records/entity-address.ts'
import { Moment } from '../../components/text/moment.tsx'
import { formatCount } from '../../components/text/time-text.ts'
import { describeUrl, oneOf, useUrlState } from '../../shell/url-state.ts'
import classes from './entity-list.module.css'

export type Counted = OutputOf<'count-memories'>['entities'][number]

/** `first`: the order that the first click on the head sorts in. */
const columns = [
  { name: 'name', title: 'Entity', first: '', compare: (a: Counted, b: Counted) => a.value.localeCompare(b.value) },
  { name: 'count', title: 'Memories', first: '-', compare: (a: Counted, b: Counted) => a.count - b.count },
  {
    name: 'last',
    title: 'Last memory',
    first: '-',
    compare: (a: Counted, b: Counted) => Date.parse(a.lastAt) - Date.parse(b.lastAt),
  },
] as const

const listUrl = describeUrl({ sort: oneOf(['name', '-name', 'count', '-count', 'last', '-last'], '-count') })

interface Props {
  entities: readonly Counted[]
  /** The count of the most frequent one, whose bar is the longest. */
  most: number
}

/** A click on a row opens its entity. */
export function EntityTable({ entities, most }: Props) {
  const navigate = useNavigate()
  const [{ sort }, setState] = useUrlState(listUrl)
  const isDescending = sort.startsWith('-')
  const column = columns.find(({ name }) => name === sort.replace('-', '')) ?? columns[1]
  const rows = entities.toSorted((a, b) => (isDescending ? column.compare(b, a) : column.compare(a, b)))
  const { setCurrent } = useRowFocus(rows.map(({ value }) => fragmentOf(value)))
  return (
    <Box className={classes.frame} style={{ '--digits': formatCount(most).length }}>
      <Table className={tableClasses.table} highlightOnHover data-rows-open aria-label="Entities">
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ name, title, first }) => (
              <SortHead
                key={name}
                title={title}
                sorted={name === column.name ? (isDescending ? 'descending' : 'ascending') : undefined}
                onSort={() => setState({ sort: `${name === column.name ? (isDescending ? '' : '-') : first}${name}` })}
              />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ value, count, lastAt }) => (
            <Table.Tr
              key={value}
              onClick={() => void navigate({ to: '/entities', hash: fragmentOf(value) })}
              onFocus={() => setCurrent(fragmentOf(value))}
            >
              <Table.Td>
                <Anchor
                  renderRoot={(props) => <Link {...props} to="/entities" hash={fragmentOf(value)} />}
                  c="inherit"
                  fw={550}
                  data-row={fragmentOf(value)}
                  onClick={(event) => event.stopPropagation()}
                >
                  <bdi>{value}</bdi>
                </Anchor>
              </Table.Td>
              <Table.Td data-unit={count === 1 ? 'memory' : 'memories'}>
                <span className={classes.count}>
                  {formatCount(count)}
                  <span className={classes.track} aria-hidden>
                    <span style={{ width: `${(count / most) * 100}%` }} />
                  </span>
                </span>
              </Table.Td>
              <Table.Td data-label="latest">
                <Moment at={lastAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
}
