import type { ListedMemory } from '@holdfast/client/dashboard'
import { Button, Menu, Text } from '@mantine/core'
import { Archive, ArchiveRestore, Merge, Star, Tag } from 'lucide-react'
import type { ReactNode } from 'react'
import { typeOptions, type MemoryType } from '../../components/memory-types.tsx'
import { ratingOptions } from '../../components/rating-dots.tsx'
import classes from '../../components/bulk-bar.module.css'
import { countMemories, useMemoryActions, type Rating } from '../../components/use-memory-actions.ts'

interface Props {
  vaultId: string
  memories: readonly ListedMemory[]
  onDone: () => void
}

/** What can be done with all that is selected at once. */
export function BulkBar({ vaultId, memories, onDone }: Props) {
  const { archive, restore, rate, merge, isBusy } = useMemoryActions(vaultId)
  const idsOf = (isArchived: boolean) =>
    memories.filter(({ status }) => (status === 'archived') === isArchived).map(({ id }) => id)
  const active = idsOf(false)
  const archived = idsOf(true)
  // Of more than a few nobody has read all.
  const canMerge =
    memories.length > 1 &&
    memories.length <= 20 &&
    memories.every(({ status, memoryType }) => status === 'active' && memoryType !== 'task')
  const set = (rating: Rating) => rate(memories, rating, onDone)
  return (
    <section className={classes.bar} aria-label="Selected memories">
      <Text fw={550} px={4} aria-live="polite">
        {countMemories(memories.length)} selected
      </Text>
      {active.length > 0 && (
        <Button
          size="xs"
          variant="default"
          leftSection={<Archive size={14} aria-hidden />}
          loading={isBusy}
          onClick={() => archive(active, onDone)}
        >
          Archive
        </Button>
      )}
      {archived.length > 0 && (
        <Button
          size="xs"
          variant="default"
          leftSection={<ArchiveRestore size={14} aria-hidden />}
          loading={isBusy}
          onClick={() => restore(archived, onDone)}
        >
          Restore
        </Button>
      )}
      <Choice
        title="Type"
        icon={<Tag size={14} aria-hidden />}
        options={typeOptions}
        onChoose={(value) => set({ memoryType: value as MemoryType })}
      />
      <Choice
        title="Importance"
        icon={<Star size={14} aria-hidden />}
        options={ratingOptions('Importance')}
        onChoose={(value) => set({ importance: Number(value) })}
      />
      {canMerge && (
        <Choice
          title="Merge into"
          icon={<Merge size={14} aria-hidden />}
          options={memories.map(({ id, title }) => ({
            value: id,
            label: title.length > 60 ? `${title.slice(0, 60)}…` : title,
          }))}
          onChoose={(keptId) =>
            merge(
              keptId,
              active.filter((id) => id !== keptId),
              onDone,
            )
          }
        />
      )}
      <Button size="xs" variant="subtle" onClick={onDone}>
        Clear
      </Button>
    </section>
  )
}

interface ChoiceProps {
  title: string
  icon: ReactNode
  options: readonly { value: string; label: string }[]
  onChoose: (value: string) => void
}

function Choice({ title, icon, options, onChoose }: ChoiceProps) {
  return (
    <Menu position="top-start" shadow="md">
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={icon}>
          {title}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {options.map(({ value, label }) => (
          <Menu.Item key={value} onClick={() => onChoose(value)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
