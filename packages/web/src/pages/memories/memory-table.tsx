import type { ListedMemory } from '@holdfast/client/dashboard'
import { Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { nameOfAuthor } from '../../components/records/agent-names.ts'
import { EntityChip } from '../../components/records/entity-chip.tsx'
import { ChangedMark } from '../../components/records/by-line.tsx'
import { MemoryState, MemoryTypeMark } from '../../components/records/memory-marks.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { RatingDots } from '../../components/records/rating-dots.tsx'
import { formatCount } from '../../components/text/time-text.ts'
import { RowCheck, SelectAll, type Selection } from '../../components/lists/selection.tsx'
import classes from '../../components/lists/list-table.module.css'

interface Props {
  memories: readonly ListedMemory[]
  selection: Selection
  onOpen: (id: string) => void
  /** Called when another row gets the focus, which keys act on. */
  onFocus: (id: string) => void
}

export function MemoryTable({ memories, selection, onOpen, onFocus }: Props) {
  const { ids, toggle } = selection
  return (
    <div className={classes.frame}>
      <Table className={classes.table} highlightOnHover aria-label="Memories">
        <Table.Thead>
          <Table.Tr>
            <SelectAll selection={selection} />
            <Table.Th scope="col">Memory</Table.Th>
            <Table.Th scope="col" className={classes.medium}>
              Type
            </Table.Th>
            <Table.Th scope="col" className={classes.medium}>
              Importance
            </Table.Th>
            <Table.Th scope="col" className={classes.wide}>
              Confidence
            </Table.Th>
            <Table.Th scope="col" className={classes.wide}>
              Agent
            </Table.Th>
            <Table.Th scope="col" className={classes.medium}>
              Stored
            </Table.Th>
            <Table.Th scope="col" className={classes.medium}>
              Recalled
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {memories.map((memory) => (
            <MemoryRow
              key={memory.id}
              memory={memory}
              isSelected={ids.includes(memory.id)}
              onToggle={toggle}
              onOpen={onOpen}
              onFocus={onFocus}
            />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

interface RowProps {
  memory: ListedMemory
  isSelected: boolean
  onToggle: (id: string) => void
  onOpen: (id: string) => void
  onFocus: (id: string) => void
}

/** Memoized because the page renders on every search step, and rows take most of that time. */
const MemoryRow = memo(function MemoryRow({ memory, isSelected, onToggle, onOpen, onFocus }: RowProps) {
  const { id, memoryType, importance, confidence, createdAt } = memory
  return (
    <tr onClick={() => onOpen(id)} onFocus={() => onFocus(id)} data-selected={isSelected}>
      <RowCheck label={`Select ${nameOf(memory)}`} isChecked={isSelected} onToggle={() => onToggle(id)} />
      <td className={classes.main}>
        <Link
          to={`/memories/${id}`}
          search
          resetScroll={false}
          className={classes.title}
          data-row={id}
          onClick={(event) => event.stopPropagation()}
        >
          {nameOf(memory)}
        </Link>
        <RowDetails memory={memory} />
      </td>
      <td className={`${classes.medium} ${classes.tight}`}>
        <MemoryTypeMark type={memoryType} />
      </td>
      <td className={classes.medium}>
        <RatingDots what="Importance" value={importance} />
      </td>
      <td className={classes.wide}>
        <RatingDots what="Confidence" value={confidence} />
      </td>
      <td className={`${classes.wide} ${classes.agent}`}>{nameOfAuthor(memory)}</td>
      <td className={`${classes.medium} ${classes.tight}`}>
        <Moment at={createdAt} />
      </td>
      <td className={`${classes.medium} ${classes.tight}`}>
        <RecallCount memory={memory} />
      </td>
    </tr>
  )
})

const maxEntities = 4

function RowDetails({ memory }: { memory: ListedMemory }) {
  const { entities, expiresAt, memoryType, importance, createdAt, summary, preview } = memory
  const more = entities.length - maxEntities
  return (
    <>
      {summary !== null && summary !== '' && preview !== summary && (
        <Text size="xs" c="dimmed" lineClamp={1} mt={2}>
          {preview}
        </Text>
      )}
      <div className={classes.below}>
        <span className={classes.folded}>
          <MemoryTypeMark type={memoryType} />
          <RatingDots what="Importance" value={importance} />
          <span>{nameOfAuthor(memory)}</span>
          <Moment at={createdAt} />
        </span>
        <MemoryState memory={memory} />
        <ChangedMark record={memory} />
        {expiresAt !== null && (
          <span>
            expires <Moment at={expiresAt} />
          </span>
        )}
        {entities.slice(0, maxEntities).map((entity) => (
          <EntityChip key={entity} name={entity} />
        ))}
        {more > 0 && <span>and {more} more</span>}
      </div>
    </>
  )
}

function RecallCount({ memory: { accessCount, lastAccessedAt } }: { memory: ListedMemory }) {
  if (accessCount === 0) return <Moment at={null} />
  return (
    <>
      {formatCount(accessCount)}×, <Moment at={lastAccessedAt} />
    </>
  )
}

const nameOf = ({ title, preview }: Pick<ListedMemory, 'title' | 'preview'>) =>
  title.trim() === '' ? (preview.trim() === '' ? 'Untitled' : preview) : title
