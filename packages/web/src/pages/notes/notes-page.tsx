import type { Folder } from '@holdfast/client/dashboard'
import { Button, Collapse, Group, Select, Text } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { useNavigate, useParams } from '@tanstack/react-router'
import { FolderTree as TreeIcon, NotebookText, Plus } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useOperation, usePage, useWholeList } from '../../api/queries.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { InVault, Page } from '../../components/frame/page.tsx'
import { Loaded, SkeletonList } from '../../components/feedback/loaded.tsx'
import { useShortcut } from '../../shell/shortcuts.ts'
import { useUrlState, type Changes } from '../../shell/url-state.ts'
import { FolderMenu } from './folder-menu.tsx'
import { FolderTree } from './folder-tree.tsx'
import { MoveFolder } from './move-folder.tsx'
import { folderIdOf, inputOf, isInTrash, type NoteFilter, type SetFilter, noteUrl } from './note-filter.ts'
import { NoteForm } from './note-form.tsx'
import { NoteList } from './note-list.tsx'
import { NoteView } from './note-view.tsx'
import classes from './notes-page.module.css'
import { NoMatches } from '../../components/lists/record-list.tsx'
import { useListPlace } from '../../components/lists/use-list-place.ts'
import { SearchBox } from '../../components/lists/filters.tsx'
import { useServerCommand } from '../../shell/server-command.ts'

export function NotesPage() {
  const [filter, setFilter] = useUrlState(noteUrl)
  useShortcut('c', 'New note', () => setFilter({ new: true }))
  return <InVault>{({ id }) => <Notes vaultId={id} filter={filter} setFilter={setFilter} />}</InVault>
}

interface Props {
  vaultId: string
  filter: NoteFilter
  setFilter: SetFilter
}

function Notes({ vaultId, filter, setFilter }: Props) {
  const { noteId }: { noteId?: string } = useParams({ strict: false })
  const isWide = useMediaQuery('(min-width: 1200px)', window.innerWidth >= 1200)
  const navigate = useNavigate()
  const { data: pages } = useWholeList('list-folders', { vaultId })
  const folders = useMemo(() => (pages ?? []).flatMap((page) => page.folders), [pages])
  const folderPaths = folders.map(({ path }) => path)
  const open = (id: string, more: Changes<NoteFilter> = {}) =>
    void navigate({
      to: `/notes/${id}`,
      search: noteUrl.write({}, { ...filter, new: false, title: '', heading: '', version: 0, ...more }),
      resetScroll: false,
    })
  const close = () =>
    void navigate({
      to: '/notes',
      search: noteUrl.write({}, { ...filter, heading: '', write: false, version: 0 }),
      resetScroll: false,
    })
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
  const list = useRef<HTMLDivElement>(null)
  useListPlace(list, noteId)
  return (
    <>
      {noteId === undefined ? (
        <Page
          title="Notes"
          lead="Texts that you and your agents write and link by title."
          actions={
            <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setFilter({ new: true })}>
              New note
            </Button>
          }
        >
          <div ref={list}>
            <Browse {...browsing} />
          </div>
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
        onCreated={(id) => open(id, { write: true })}
      />
    </>
  )
}

interface BrowseProps extends Props {
  folders: readonly Folder[]
  folderPaths: readonly string[]
  openId: string | undefined
  isCompact?: boolean
  onWrite: (id: string) => void
}

/** The folder tree, and the notes of the selected folder. */
function Browse(props: BrowseProps) {
  const { vaultId, filter, setFilter, folders, isCompact = false } = props
  const isNarrow = useMediaQuery('(max-width: 767px)', window.innerWidth < 768)
  const [isTreeOpen, tree] = useDisclosure()
  const [moved, setMoved] = useState<Folder>()
  const notes = usePage('list-notes', inputOf(filter, vaultId))
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
      <nav aria-label="Folders" className={classes.folders}>
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
              {isInTrash(filter) ? 'Trash' : (current?.path ?? (filter.folder === 'root' ? 'Unfiled' : 'All notes'))}
            </Button>
            <Collapse expanded={isTreeOpen} mt="xs">
              {shownFolders}
            </Collapse>
          </>
        ) : (
          shownFolders
        )}
      </nav>
      <section aria-label="Notes in this folder" className={classes.notes}>
        {!isInTrash(filter) && <Filters vaultId={vaultId} filter={filter} setFilter={setFilter} />}
        <Loaded query={notes} skeleton={<SkeletonList rows={6} />}>
          {(page) =>
            page.total === 0 ? (
              <EmptyNotes filter={filter} setFilter={setFilter} hasFolders={folders.length > 0} />
            ) : (
              <NoteList {...props} page={page} />
            )
          }
        </Loaded>
      </section>
    </div>
  )
}

function Filters({ vaultId, filter, setFilter }: Props) {
  const { data } = useOperation('suggest-tags', { vaultId })
  const tags = data?.tags ?? []
  const isMissing = filter.tag !== '' && !tags.some(({ tag }) => tag === filter.tag)
  return (
    <search className={classes.filters}>
      <SearchBox
        value={filter.q}
        onChange={(q) => setFilter({ q, offset: 0 })}
        label="Filter notes"
        placeholder="Title or text"
      />
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

function EmptyNotes({ filter, setFilter, hasFolders }: Pick<Props, 'filter' | 'setFilter'> & { hasFolders: boolean }) {
  const holdfast = useServerCommand()
  if (isInTrash(filter)) return <Text c="dimmed">No notes in the trash.</Text>
  if (noteUrl.isFiltered(filter)) return <NoMatches what="notes" onClear={() => setFilter(noteUrl.noFilter)} />
  const make = <Button onClick={() => setFilter({ new: true })}>New note</Button>
  if (hasFolders && (folderIdOf(filter) !== undefined || filter.folder === 'root'))
    return (
      <EmptyState icon={NotebookText} action={make}>
        No notes in this folder.
      </EmptyState>
    )
  return (
    <EmptyState icon={NotebookText} action={make} command={holdfast('import obsidian ./vault')}>
      No notes yet. Write one, have an agent write one, or import a folder of Markdown files.
    </EmptyState>
  )
}
