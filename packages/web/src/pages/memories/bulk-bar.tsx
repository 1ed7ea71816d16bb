import { Button, Menu, Text } from '@mantine/core'
import { Archive, ArchiveRestore, Star, Tag } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ListedMemory } from '../../generated/operations.ts'
import { typeOptions, type MemoryType } from '../../components/memory-types.tsx'
import { ratingOptions } from '../../components/rating-dots.tsx'
import classes from './bulk-bar.module.css'
import { countMemories, useMemoryActions, type Rating } from './use-memory-actions.ts'

interface Props {
  vaultId: string
  memories: readonly ListedMemory[]
  onDone: () => void
}

/** What can be done with all that is selected at once. */
export function BulkBar({ vaultId, memories, onDone }: Props) {
  const { archive, restore, rate, isBusy } = useMemoryActions(vaultId)
  const idsOf = (isArchived: boolean) =>
    memories.filter(({ status }) => (status === 'archived') === isArchived).map(({ id }) => id)
  const active = idsOf(false)
  const archived = idsOf(true)
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
