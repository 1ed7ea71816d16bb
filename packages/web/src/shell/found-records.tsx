import type { SpotlightActionData } from '@mantine/spotlight'
import { useDebouncedValue } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { Brain, ListTodo, NotebookText } from 'lucide-react'
import { usePage } from '../api/queries.ts'
import { useVaults } from './vault.ts'

const iconSize = 17
const typingPauseMs = 250
/** One letter is no question yet. */
const leastChars = 2
const shownMemories = 6
const shownNotes = 4

/** What a search of the vault finds for what was typed, once somebody pauses: memories with tasks among them, and notes. */
export function useFoundRecords(query: string): SpotlightActionData[] {
  const navigate = useNavigate()
  const { vault } = useVaults()
  const [asked] = useDebouncedValue(query, typingPauseMs)
  const enabled = vault !== undefined && asked.length >= leastChars && query.length >= leastChars
  const vaultId = vault?.id ?? ''
  const memories = usePage('browse-memories', { vaultId, q: asked, limit: shownMemories }, { enabled })
  const notes = usePage('browse-notes', { vaultId, q: asked, limit: shownNotes }, { enabled })
  if (!enabled) return []
  // What was typed finds them by what they mean, so that it need not stand in their titles.
  const found = { keywords: query }
  return [
    ...(memories.data?.memories ?? []).map(({ id, title, memoryType }) => {
      const isTask = memoryType === 'task'
      const Icon = isTask ? ListTodo : Brain
      return {
        ...found,
        id: `record ${id}`,
        label: title,
        leftSection: <Icon size={iconSize} aria-label={isTask ? 'Task' : 'Memory'} />,
        onClick: () => void navigate({ to: isTask ? `/tasks/${id}` : `/memories/${id}` }),
      }
    }),
    ...(notes.data?.notes ?? []).map(({ noteId, title }) => ({
      ...found,
      id: `record ${noteId}`,
      label: title,
      leftSection: <NotebookText size={iconSize} aria-label="Note" />,
      onClick: () => void navigate({ to: `/notes/${noteId}` }),
    })),
  ]
}
