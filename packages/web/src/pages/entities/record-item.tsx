import type { ListedMemory } from '@holdfast/client/dashboard'
import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ByLine } from '../../components/records/by-line.tsx'
import { EntityChip } from '../../components/records/entity-chip.tsx'
import { MemoryState, MemoryTypeMark } from '../../components/records/memory-marks.tsx'
import { previewWithoutTitle, withoutMarks } from '../../components/text/preview-without-title.ts'
import classes from './entity-page.module.css'

const maxEntities = 6

/** A memory or task about an entity, with the other entities it is about. */
export function RecordItem({ memory, exceptEntity }: { memory: ListedMemory; exceptEntity: string }) {
  const { id, title, memoryType, createdAt } = memory
  const rest = previewWithoutTitle(memory)
  const page = memoryType === 'task' ? '/tasks' : '/memories'
  const others = memory.entities.filter((name) => name.toLowerCase() !== exceptEntity.toLowerCase())
  return (
    <li>
      <Anchor
        display="block"
        fw={500}
        c="inherit"
        className={classes.text}
        renderRoot={(props) => <Link {...props} to={`${page}/${id}`} />}
      >
        {title.trim() === '' ? 'Untitled' : withoutMarks(title)}
      </Anchor>
      {rest !== '' && (
        <Text size="sm" c="dimmed" lineClamp={2} className={classes.text}>
          {rest}
        </Text>
      )}
      <div className={classes.below}>
        <MemoryTypeMark type={memoryType} />
        <ByLine size="inherit" isInText record={{ ...memory, updatedAt: createdAt }} />
        <MemoryState memory={memory} />
        {others.slice(0, maxEntities).map((name) => (
          <EntityChip key={name} name={name} />
        ))}
      </div>
    </li>
  )
}
