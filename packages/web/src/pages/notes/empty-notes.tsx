import { Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { NotebookText } from 'lucide-react'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { NoMatches } from '../../components/lists/record-list.tsx'
import { useServerCommand } from '../../shell/server-command.ts'
import { folderIdOf, isInTrash, isStarred, noteUrl, type NoteFilter, type SetFilter } from './note-filter.ts'
import { useMay } from '../../shell/role.ts'

interface Props {
  filter: NoteFilter
  setFilter: SetFilter
  hasFolders: boolean
  /** Next to the text, which then says how to begin. */
  isPane: boolean
}

/** What the list shows instead of notes. */
export function EmptyNotes({ filter, setFilter, hasFolders, isPane }: Props) {
  const onNew = () => setFilter({ new: true })
  const mayEdit = useMay('editor')
  if (isInTrash(filter)) return <Text c="dimmed">No notes in the trash.</Text>
  if (isStarred(filter)) return <Text c="dimmed">No starred notes yet. Open a note and press s to star it.</Text>
  if (noteUrl.isFiltered(filter)) return <NoMatches what="notes" onClear={() => setFilter(noteUrl.noFilter)} />
  if (hasFolders && (folderIdOf(filter) !== undefined || filter.folder === 'root'))
    return (
      <EmptyState
        icon={NotebookText}
        {...(mayEdit && {
          action: (
            // Where the list isn't a pane, it has the filled button next to its title.
            <Button variant={isPane ? 'filled' : 'default'} onClick={onNew}>
              New note
            </Button>
          ),
        })}
      >
        No notes in this folder.
      </EmptyState>
    )
  // The pane next to the list says how to begin.
  return isPane ? null : <NoNotes onNew={onNew} />
}

export function NoNotes({ onNew }: { onNew: () => void }) {
  const holdfast = useServerCommand()
  const mayEdit = useMay('editor')
  if (!mayEdit) return <EmptyState icon={NotebookText}>No notes yet.</EmptyState>
  return (
    <EmptyState
      icon={NotebookText}
      action={
        <Group gap="xs" justify="center">
          <Button onClick={onNew}>New note</Button>
          <Button variant="subtle" renderRoot={(props) => <Link {...props} to="/transfer" />}>
            Import
          </Button>
        </Group>
      }
      command={holdfast('import obsidian ./vault')}
    >
      No notes yet. Write one, have an agent write one, or import a folder of Markdown files.
    </EmptyState>
  )
}
