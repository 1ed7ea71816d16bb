import { Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { Pager } from '../../components/lists/pager.tsx'
import tableClasses from '../../components/lists/record-table.module.css'
import { SortHead } from '../../components/lists/sort-head.tsx'
import {
  columns,
  nameOf,
  rowsOf,
  sortRows,
  titleOfMapRelation,
  type Column,
  type MapNode,
  type Shown,
} from './graph-model.ts'
import classes from './graph-page.module.css'
import { RelationMark } from './graph-legend.tsx'
import type { ChangeState, GraphState } from './graph-state.ts'
import { GroupMark } from './group-list.tsx'
import type { Group } from './groups.ts'
import { MarkOf } from './node-mark.tsx'

const titles: Readonly<Record<Column, string>> = { source: 'Source', relation: 'Relation', target: 'Target' }
const pageSize = 25

interface Props {
  shown: Shown
  state: Pick<GraphState, 'sort' | 'offset'>
  setState: ChangeState
  onChoose: (id: string) => void
  onChooseLink: (id: string) => void
  groups: readonly Group[]
  byNode: ReadonlyMap<string, Group>
}

/** The same content as the map: a row for each link, and one for each node without links. Says a source once for its links. */
export function GraphTable({ shown, state, setState, onChoose, onChooseLink, groups, byNode }: Props) {
  const markOf = ({ id }: MapNode) => {
    const group = byNode.get(id)
    return group && <GroupMark group={group} place={groups.indexOf(group)} />
  }
  const isDescending = state.sort.startsWith('-')
  const column = columns.find((each) => each === state.sort.replace('-', '')) ?? 'source'
  const rows = sortRows(rowsOf(shown), column, isDescending)
  // The table may have become shorter than the offset in the URL.
  const offset = Math.min(Math.max(0, state.offset), Math.max(0, Math.ceil(rows.length / pageSize) - 1) * pageSize)
  const sortBy = (next: Column) => setState({ sort: next === column && !isDescending ? `-${next}` : next, offset: 0 })
  return (
    <>
      <Table className={tableClasses.table} aria-label="Links">
        <Table.Thead>
          <Table.Tr>
            {columns.map((each) => (
              <SortHead
                key={each}
                title={titles[each]}
                sorted={each === column ? (isDescending ? 'descending' : 'ascending') : undefined}
                onSort={() => sortBy(each)}
              />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.slice(offset, offset + pageSize).map(({ key, source, edge, target }, at, page) => (
            <Table.Tr key={key}>
              <Table.Td data-repeated={source === page[at - 1]?.source}>
                {source === page[at - 1]?.source ? (
                  <VisuallyHidden>{nameOf(source)}</VisuallyHidden>
                ) : (
                  <NodeButton node={source} onChoose={onChoose} mark={markOf(source)} />
                )}
              </Table.Td>
              <Table.Td className={classes.relationCell}>
                {edge === undefined ? (
                  <Text c="dimmed">no links shown</Text>
                ) : (
                  <UnstyledButton
                    className={classes.linkRelation}
                    aria-label={`${titleOfMapRelation(edge.relationType)}: explain this link`}
                    onClick={() => onChooseLink(edge.linkId)}
                  >
                    <RelationMark relation={edge.relationType} /> {titleOfMapRelation(edge.relationType)}
                  </UnstyledButton>
                )}
              </Table.Td>
              <Table.Td>
                {target !== undefined && <NodeButton node={target} onChoose={onChoose} mark={markOf(target)} />}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Pager
        page={{ total: rows.length, limit: pageSize, offset, hasMore: offset + pageSize < rows.length }}
        onOffset={(next) => setState({ offset: next })}
      />
    </>
  )
}

interface NodeProps {
  node: MapNode
  onChoose: (id: string) => void
  /** The mark of its group, if it is in one. */
  mark: ReactNode
}

function NodeButton({ node, onChoose, mark }: NodeProps) {
  return (
    <UnstyledButton className={classes.nodeButton} title={nameOf(node)} onClick={() => onChoose(node.id)}>
      <MarkOf node={node} />
      <span>{nameOf(node)}</span>
      {mark}
    </UnstyledButton>
  )
}
