import type { SpotlightActionData } from '@mantine/spotlight'
import { useDebouncedValue } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { Brain, ListTodo, NotebookText, Tag } from 'lucide-react'
import { usePage } from '../api/queries.ts'
import { fragmentOf } from '../components/records/entity-address.ts'
import { useVaults } from './vault.ts'

const iconSize = 17
const typingPauseMs = 250
/** A single letter isn't searched for. */
const minChars = 2
const shownMemories = 6
const shownNotes = 4

/** Searches the vault for the typed text after a pause: memories, tasks and notes. */
export function useFoundRecords(query: string): SpotlightActionData[] {
  const navigate = useNavigate()
  const { vault } = useVaults()
  const [settled] = useDebouncedValue(query, typingPauseMs)
  const enabled = vault !== undefined && settled.length >= minChars && query.length >= minChars
  const vaultId = vault?.id ?? ''
  const memories = usePage('list-memories', { vaultId, q: settled, limit: shownMemories }, { enabled })
  const notes = usePage('list-notes', { vaultId, q: settled, limit: shownNotes }, { enabled })
  if (!enabled) return []
  return [
    ...entitiesNamed(query, memories.data?.memories ?? []).map((name) => ({
      id: `entity ${name}`,
      label: name,
      leftSection: <Tag size={iconSize} aria-label="Entity" />,
      onClick: () => void navigate({ to: '/entities', hash: fragmentOf(name) }),
    })),
    ...(memories.data?.memories ?? []).map(({ id, title, memoryType }) => {
      const isTask = memoryType === 'task'
      const Icon = isTask ? ListTodo : Brain
      return {
        id: `record ${id}`,
        label: title,
        leftSection: <Icon size={iconSize} aria-label={isTask ? 'Task' : 'Memory'} />,
        onClick: () => void navigate({ to: isTask ? `/tasks/${id}` : `/memories/${id}` }),
      }
    }),
    ...(notes.data?.notes ?? []).map(({ noteId, title }) => ({
      id: `record ${noteId}`,
      label: title,
      leftSection: <NotebookText size={iconSize} aria-label="Note" />,
      onClick: () => void navigate({ to: `/notes/${noteId}` }),
    })),
  ]
}

const shownEntities = 3

/** The entities of found memories whose names contain the typed text. */
function entitiesNamed(query: string, memories: readonly { entities: readonly string[] }[]): string[] {
  const typed = query.toLowerCase()
  const names = new Map(memories.flatMap(({ entities }) => entities.map((name) => [name.toLowerCase(), name])))
  return [...names]
    .filter(([name]) => name.includes(typed))
    .map(([, name]) => name)
    .slice(0, shownEntities)
}
