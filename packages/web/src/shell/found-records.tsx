import type { SpotlightActionData } from '@mantine/spotlight'
import { useDebouncedValue } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Brain, ListTodo, NotebookText, Tag } from 'lucide-react'
import { keyOf, useOperation, usePage, read } from '../api/queries.ts'
import { fragmentOf } from '../components/records/entity-address.ts'
import { firstWords } from '../components/text/first-words.ts'
import { fromFirstMatch } from '../components/text/mark-words.tsx'
import { completeWord } from './complete-word.ts'
import { usePreference, type RecentRecord } from './preferences.ts'
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
  const direct = usePage('list-memories', { vaultId, q: settled, limit: shownMemories }, { enabled })
  const notes = usePage('list-notes', { vaultId, q: settled, limit: shownNotes }, { enabled })
  const titled = useOperation('suggest-notes', { vaultId, q: settled, limit: shownNotes }, { enabled })
  const facets = useOperation('count-memories', { vaultId, state: 'live' }, { enabled })
  const entities = facets.data?.entities.map(({ value }) => value) ?? []
  // The search finds whole words. While the last one isn't complete, it is completed to the name of an entity.
  const completed = completeWord(settled, entities)
  const isNothing = direct.data?.memories.length === 0
  const indirect = usePage(
    'list-memories',
    { vaultId, q: completed ?? '', limit: shownMemories },
    { enabled: enabled && isNothing && completed !== undefined },
  )
  if (!enabled) return []
  const memories = (isNothing && completed !== undefined ? indirect : direct).data?.memories ?? []
  const shown = new Map(
    [...(titled.data?.notes ?? []), ...(notes.data?.notes ?? [])].map(({ noteId, title }) => [noteId, title]),
  )
  return [
    ...entitiesNamed(query, [...entities, ...memories.flatMap((memory) => memory.entities)]).map((name) => ({
      id: `entity ${name}`,
      label: name,
      leftSection: <Tag size={iconSize} aria-label="Entity" />,
      onClick: () => void navigate({ to: '/entities', hash: fragmentOf(name) }),
    })),
    ...memories.map(({ id, title, memoryType }) => {
      const isTask = memoryType === 'task'
      const Icon = isTask ? ListTodo : Brain
      return {
        id: `record ${id}`,
        label: fromFirstMatch(title, settled),
        leftSection: <Icon size={iconSize} aria-label={isTask ? 'Task' : 'Memory'} />,
        onClick: () => void navigate({ to: isTask ? `/tasks/${id}` : `/memories/${id}` }),
      }
    }),
    ...[...shown].slice(0, shownNotes).map(([noteId, title]) => ({
      id: `record ${noteId}`,
      label: title,
      leftSection: <NotebookText size={iconSize} aria-label="Note" />,
      onClick: () => void navigate({ to: `/notes/${noteId}` }),
    })),
  ]
}

const icons = { memories: Brain, tasks: ListTodo, notes: NotebookText }
const kinds = { memories: 'Memory', tasks: 'Task', notes: 'Note' }

/** What the person opened last in this vault, without what is open now and what no longer exists. */
export function useRecentRecords(isOpen: boolean): SpotlightActionData[] {
  const navigate = useNavigate()
  const { vault } = useVaults()
  const recent = usePreference('recent')
  const vaultId = vault?.id ?? ''
  const known = (recent[vaultId] ?? []).filter(({ id }) => !location.pathname.endsWith(id))
  const titles = useQueries({ queries: known.map((one) => ({ ...titleQuery(vaultId, one), enabled: isOpen })) })
  return known.flatMap(({ list, id }, at) => {
    const title = titles[at]?.data
    const Icon = icons[list]
    if (title === undefined || titles[at]?.isError === true) return []
    return {
      id: `recent ${id}`,
      label: title,
      leftSection: <Icon size={iconSize} aria-label={kinds[list]} />,
      onClick: () => void navigate({ to: `/${list}/${id}` }),
    }
  })
}

/** Uses the same entries of the cache as the pages of the records. */
function titleQuery(vaultId: string, { list, id }: RecentRecord) {
  if (list === 'notes') {
    const input = { vaultId, noteId: id }
    return {
      queryKey: keyOf('read-note', input),
      queryFn: ({ signal }: { signal: AbortSignal }) => read('read-note', input, signal),
      select: (found: unknown) => (found as { note: { title: string } }).note.title,
    }
  }
  const input = { vaultId, id }
  return {
    queryKey: keyOf('list-memories', input),
    queryFn: ({ signal }: { signal: AbortSignal }) => read('list-memories', input, signal),
    select(found: unknown) {
      const { summary, content } = (found as { memory: { summary: string | null; content: string } }).memory
      return firstWords(summary ?? content)
    },
  }
}

const shownEntities = 3

/** The entities whose names contain the typed text. */
function entitiesNamed(query: string, entities: readonly string[]): string[] {
  const typed = query.toLowerCase()
  const names = new Map(entities.map((name) => [name.toLowerCase(), name]))
  return [...names]
    .filter(([name]) => name.includes(typed))
    .map(([, name]) => name)
    .slice(0, shownEntities)
}
