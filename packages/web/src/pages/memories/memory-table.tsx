import type { ListedMemory } from '@holdfast/client/dashboard'
import { Anchor, Checkbox, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { nameOfAgent } from '../../components/agent-names.ts'
import { MemoryState } from '../../components/memory-state.tsx'
import { MemoryTypeMark } from '../../components/memory-types.tsx'
import { Moment } from '../../components/moment.tsx'
import { RatingDots } from '../../components/rating-dots.tsx'
import { formatCount } from '../../components/time-text.ts'
import { SelectAll } from '../../components/select-all.tsx'
import type { Selection } from '../../components/use-selection.ts'
import classes from '../../components/list-table.module.css'

interface Props {
  memories: readonly ListedMemory[]
  selection: Selection
  onOpen: (id: string) => void
  /** The row that keys act on has changed. */
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
              onToggle={() => toggle(memory.id)}
              onOpen={() => onOpen(memory.id)}
              onFocus={() => onFocus(memory.id)}
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
  onToggle: () => void
  onOpen: () => void
  onFocus: () => void
}

function MemoryRow({ memory, isSelected, onToggle, onOpen, onFocus }: RowProps) {
  const { id, memoryType, importance, confidence, createdAt } = memory
  return (
    <Table.Tr onClick={onOpen} onFocus={onFocus} data-selected={isSelected}>
      <Table.Td className={classes.check} onClick={(event) => event.stopPropagation()}>
        <Checkbox aria-label={`Select ${nameOf(memory)}`} checked={isSelected} onChange={onToggle} />
      </Table.Td>
      <Table.Td className={classes.main}>
        <Anchor
          renderRoot={(props) => <Link {...props} to={`/memories/${id}`} search />}
          c="inherit"
          className={classes.title}
          data-row={id}
          onClick={(event) => event.stopPropagation()}
        >
          {nameOf(memory)}
        </Anchor>
        <Below memory={memory} />
      </Table.Td>
      <Table.Td className={`${classes.medium} ${classes.tight}`}>
        <MemoryTypeMark type={memoryType} />
      </Table.Td>
      <Table.Td className={classes.medium}>
        <RatingDots what="Importance" value={importance} />
      </Table.Td>
      <Table.Td className={classes.wide}>
        <RatingDots what="Confidence" value={confidence} />
      </Table.Td>
      <Table.Td className={`${classes.wide} ${classes.agent}`}>{nameOfAgent(memory.agentId)}</Table.Td>
      <Table.Td className={`${classes.medium} ${classes.tight}`}>
        <Moment at={createdAt} />
      </Table.Td>
      <Table.Td className={`${classes.medium} ${classes.tight}`}>
        <Recalls memory={memory} />
      </Table.Td>
    </Table.Tr>
  )
}

const maxEntities = 4

function Below({ memory }: { memory: ListedMemory }) {
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
          <span>{nameOfAgent(memory.agentId)}</span>
          <Moment at={createdAt} />
        </span>
        <MemoryState memory={memory} />
        {expiresAt !== null && (
          <span>
            expires <Moment at={expiresAt} />
          </span>
        )}
        {entities.slice(0, maxEntities).map((entity) => (
          <span key={entity} className={classes.entity}>
            {entity}
          </span>
        ))}
        {more > 0 && <span>and {more} more</span>}
      </div>
    </>
  )
}

function Recalls({ memory: { accessCount, lastAccessedAt } }: { memory: ListedMemory }) {
  if (accessCount === 0) return <Moment at={null} />
  return (
    <>
      {formatCount(accessCount)}×, <Moment at={lastAccessedAt} />
    </>
  )
}

export const nameOf = ({ title, preview }: Pick<ListedMemory, 'title' | 'preview'>) =>
  title.trim() === '' ? (preview.trim() === '' ? 'Without words' : preview) : title
