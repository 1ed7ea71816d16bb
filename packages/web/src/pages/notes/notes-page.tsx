import type { Folder } from '@holdfast/client/dashboard'
import { Button, CloseButton, Collapse, Group, Select, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback, useDisclosure, useMediaQuery } from '@mantine/hooks'
import { useNavigate, useParams } from '@tanstack/react-router'
import { FolderTree as TreeIcon, NotebookText, Plus, Search, SearchX } from 'lucide-react'
import { useState } from 'react'
import { useOperation, usePage } from '../../api/queries.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { InVault, Page } from '../../components/frame/page.tsx'
import { Loaded, SkeletonList } from '../../components/feedback/loaded.tsx'
import { useShortcut } from '../../shell/shortcuts.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { FolderMenu } from './folder-menu.tsx'
import { FolderTree } from './folder-tree.tsx'
import { MoveFolder } from './move-folder.tsx'
import { folderIdOf, inputOf, isInTrash, isNarrowed, shown, type NoteFilter, type SetFilter } from './note-filter.ts'
import { NoteForm } from './note-form.tsx'
import { NoteList } from './note-list.tsx'
import { NoteView } from './note-view.tsx'
import classes from './notes-page.module.css'

export function NotesPage() {
  const [filter, setFilter] = useUrlState(shown)
  useShortcut('c', 'New note', () => setFilter({ new: true }))
  return <InVault>{({ id }) => <Notes vaultId={id} filter={filter} setFilter={setFilter} />}</InVault>
}

interface Props {
  vaultId: string
  filter: NoteFilter
  setFilter: SetFilter
}

const noFolders: readonly Folder[] = []

function Notes({ vaultId, filter, setFilter }: Props) {
  const { noteId }: { noteId?: string } = useParams({ strict: false })
  const isWide = useMediaQuery('(min-width: 1200px)', window.innerWidth >= 1200)
  const navigate = useNavigate()
  const { data } = useOperation('browse-folders', { vaultId })
  const folders = data?.folders ?? noFolders
  const folderPaths = folders.map(({ path }) => path)
  const open = (id: string, more: Partial<NoteFilter> = {}) =>
    void navigate({
      to: `/notes/${id}`,
      search: searchOf({ ...filter, new: false, title: '', heading: '', version: 0, ...more }),
    })
  const close = () =>
    void navigate({ to: '/notes', search: searchOf({ ...filter, heading: '', write: false, version: 0 }) })
  const browsing = {
    vaultId,
    filter,
    setFilter,
    folders,
    folderPaths,
    openId: noteId,
    onWrite: (id: string) => open(id, { write: true }),
  }
  const current = folders.find(({ id }) => id === filter.folder)
  return (
    <>
      {noteId === undefined ? (
        <Page
          title="Notes"
          lead="Texts that agents and you work on, linked by their titles."
          actions={
            <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setFilter({ new: true })}>
              New note
            </Button>
          }
        >
          <Browse {...browsing} />
        </Page>
      ) : (
        <div className={classes.open} data-full>
          {isWide && (
            <div className={classes.side}>
              <Browse {...browsing} isCompact />
            </div>
          )}
          <NoteView
            key={noteId}
            vaultId={vaultId}
            id={noteId}
            filter={filter}
            setFilter={setFilter}
            isWide={isWide}
            folderPaths={folderPaths}
            onOpen={open}
            onClose={close}
          />
        </div>
      )}
      <NoteForm
        isOpen={filter.new}
        onClose={() => setFilter({ new: false, title: '' })}
        vaultId={vaultId}
        title={filter.title}
        folderPath={current?.path ?? ''}
        folderPaths={folderPaths}
        onMade={(id) => open(id, { write: true })}
      />
    </>
  )
}

/** Only what differs from what a page begins with. */
const searchOf = (filter: NoteFilter) =>
  Object.fromEntries(Object.entries(filter).filter(([name, value]) => value !== shown[name as keyof typeof shown]))

interface BrowseProps extends Props {
  folders: readonly Folder[]
  folderPaths: readonly string[]
  openId: string | undefined
  isCompact?: boolean
  onWrite: (id: string) => void
}

/** The folders, and the notes of the chosen one. */
function Browse(props: BrowseProps) {
  const { vaultId, filter, setFilter, folders, isCompact = false } = props
  const isNarrow = useMediaQuery('(max-width: 767px)', window.innerWidth < 768)
  const [isTreeOpen, tree] = useDisclosure()
  const [moved, setMoved] = useState<Folder>()
  const notes = usePage('browse-notes', inputOf(filter, vaultId))
  const current = folders.find(({ id }) => id === filter.folder)
  const shownFolders = (
    <>
      <Group justify="space-between" mb={4} wrap="nowrap">
        <Text size="xs" c="dimmed" fw={500} pl={8}>
          Folders
        </Text>
        <FolderMenu
          vaultId={vaultId}
          folder={current}
          onChoose={(folder) => setFilter({ folder, state: 'live', offset: 0 })}
          onMove={setMoved}
        />
      </Group>
      <FolderTree folders={folders} filter={filter} setFilter={setFilter} onMove={setMoved} />
      <MoveFolder vaultId={vaultId} folders={folders} folder={moved} onClose={() => setMoved(undefined)} />
    </>
  )
  return (
    <div className={isCompact ? classes.stacked : classes.browse}>
      <nav aria-label="Folders of notes" className={classes.folders}>
        {isNarrow ? (
          <>
            <Button
              variant="default"
              fullWidth
              justify="flex-start"
              leftSection={<TreeIcon size={16} aria-hidden />}
              aria-expanded={isTreeOpen}
              onClick={tree.toggle}
            >
              {isInTrash(filter)
                ? 'Trash'
                : (current?.path ?? (filter.folder === 'root' ? 'In no folder' : 'All notes'))}
            </Button>
            <Collapse expanded={isTreeOpen} mt="xs">
              {shownFolders}
            </Collapse>
          </>
        ) : (
          shownFolders
        )}
      </nav>
      <section aria-label="Notes of the folder" className={classes.notes}>
        {!isInTrash(filter) && <Filters vaultId={vaultId} filter={filter} setFilter={setFilter} />}
        <Loaded query={notes} skeleton={<SkeletonList rows={6} />}>
          {(page) =>
            page.total === 0 ? (
              <Nothing filter={filter} setFilter={setFilter} hasFolders={folders.length > 0} />
            ) : (
              <NoteList {...props} page={page} />
            )
          }
        </Loaded>
      </section>
    </div>
  )
}

const typingPauseMs = 250

function Filters({ vaultId, filter, setFilter }: Props) {
  const { data } = useOperation('suggest-tags', { vaultId })
  const tags = data?.tags ?? []
  const isMissing = filter.tag !== '' && !tags.some(({ tag }) => tag === filter.tag)
  return (
    <search className={classes.filters}>
      <SearchBox value={filter.q} onChange={(q) => setFilter({ q, offset: 0 })} />
      {(tags.length > 0 || filter.tag !== '') && (
        <Select
          aria-label="Tag"
          placeholder="Tag"
          clearable
          searchable
          w={130}
          value={filter.tag === '' ? null : filter.tag}
          data={[...(isMissing ? [filter.tag] : []), ...tags.map(({ tag }) => tag)]}
          onChange={(tag) => setFilter({ tag: tag ?? '', offset: 0 })}
          comboboxProps={{ width: 'max-content', position: 'bottom-end' }}
        />
      )}
    </search>
  )
}

function SearchBox({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value)
  const [seen, setSeen] = useState(value)
  const [isTyping, setTyping] = useState(false)
  // Cleared from elsewhere; what is being typed is never taken back.
  if (value !== seen) {
    setSeen(value)
    if (!isTyping) setTyped(value)
  }
  const tell = useDebouncedCallback(onChange, typingPauseMs)
  const set = (next: string) => {
    setTyped(next)
    tell(next)
  }
  return (
    <TextInput
      data-filter
      aria-label="Filter notes"
      placeholder="Title or words"
      value={typed}
      onChange={({ currentTarget }) => set(currentTarget.value)}
      onFocus={() => setTyping(true)}
      onBlur={() => setTyping(false)}
      leftSection={<Search size={15} aria-hidden />}
      rightSection={typed !== '' && <CloseButton size="sm" aria-label="Clear the filter" onClick={() => set('')} />}
      maxLength={1000}
      flex={1}
      miw={0}
    />
  )
}

function Nothing({ filter, setFilter, hasFolders }: Pick<Props, 'filter' | 'setFilter'> & { hasFolders: boolean }) {
  if (isInTrash(filter)) return <Text c="dimmed">Nothing is in the trash.</Text>
  const clear = () => setFilter({ q: '', tag: '', offset: 0 })
  if (isNarrowed(filter))
    return (
      <EmptyState
        icon={SearchX}
        action={
          <Button variant="default" onClick={clear}>
            Clear the filter
          </Button>
        }
      >
        No note is like that.
      </EmptyState>
    )
  const make = <Button onClick={() => setFilter({ new: true })}>New note</Button>
  if (hasFolders && (folderIdOf(filter) !== undefined || filter.folder === 'root'))
    return (
      <EmptyState icon={NotebookText} action={make}>
        No note lies here.
      </EmptyState>
    )
  return (
    <EmptyState icon={NotebookText} action={make} command="npm run -s holdfast -- import obsidian ./vault">
      No notes yet. Write the first one, let an agent do it, or import a folder of Markdown.
    </EmptyState>
  )
}
