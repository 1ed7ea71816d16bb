import type { NoteOutline } from '@holdfast/client/dashboard'
import { Anchor, Button, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { NotebookText, Plus } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { usePage, useWholeList } from '../../api/queries.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { InVault } from '../../components/frame/page.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { previewWithoutTitle } from '../../components/text/preview-without-title.ts'
import { useListPlace } from '../../components/lists/use-list-place.ts'
import { useShortcut } from '../../shell/shortcuts.ts'
import { useUrlState, type Changes } from '../../shell/url-state.ts'
import { BrowseNotes } from './browse-notes.tsx'
import { NoNotes } from './empty-notes.tsx'
import { noteSearch, noteUrl, type NoteFilter, type SetFilter } from './note-filter.ts'
import { NoteForm } from './note-form.tsx'
import { NoteTabs } from './note-tabs.tsx'
import { NoteView } from './note-view.tsx'
import classes from './notes-page.module.css'
import { rememberOpened } from './opened-notes.ts'
import { useMay } from '../../shell/role.ts'
import { useIsOnPhone } from '../../shell/use-is-on-phone.ts'

export function NotesPage() {
  const [filter, setFilter] = useUrlState(noteUrl)
  useShortcut(useMay('editor') ? 'c' : undefined, 'New note', () => setFilter({ new: true }))
  return <InVault>{({ id }) => <Notes vaultId={id} filter={filter} setFilter={setFilter} />}</InVault>
}

interface Props {
  vaultId: string
  filter: NoteFilter
  setFilter: SetFilter
}

/** Wide screens show the folders, the list and the open note as panes. Smaller ones show either the list or the note. */
function Notes({ vaultId, filter, setFilter }: Props) {
  const { noteId }: { noteId?: string } = useParams({ strict: false })
  const isWide = useMediaQuery('(min-width: 1200px)', window.innerWidth >= 1200)
  const isOnPhone = useIsOnPhone()
  const navigate = useNavigate()
  const mayEdit = useMay('editor')
  const { data: pages } = useWholeList('list-folders', { vaultId })
  const folders = useMemo(() => (pages ?? []).flatMap((page) => page.folders), [pages])
  const folderPaths = folders.map(({ path }) => path)
  const open = (id: string, more: Changes<NoteFilter> = {}) =>
    void navigate({
      to: `/notes/${id}`,
      search: noteUrl.write({}, { ...filter, new: false, title: '', heading: '', view: '', version: 0, ...more }),
      resetScroll: false,
    })
  const close = () =>
    void navigate({
      to: '/notes',
      search: noteUrl.write({}, { ...filter, heading: '', view: '', write: false, version: 0 }),
      resetScroll: false,
    })
  // Phones have no tabs, but they remember what was opened.
  useEffect(() => {
    if (noteId !== undefined) rememberOpened(vaultId, noteId)
  }, [vaultId, noteId])
  const list = useRef<HTMLDivElement>(null)
  useListPlace(list, noteId)
  return (
    <>
      <div className={classes.columns} data-full>
        {(isWide || noteId === undefined) && (
          <BrowseNotes
            vaultId={vaultId}
            filter={filter}
            setFilter={setFilter}
            folders={folders}
            folderPaths={folderPaths}
            openId={noteId}
            isPane={isWide}
            listRef={list}
            onWrite={(id) => open(id, { write: true, view: 'edit' })}
          />
        )}
        {noteId !== undefined && (
          <div className={classes.main}>
            {!isOnPhone && <NoteTabs vaultId={vaultId} openId={noteId} onOpen={open} onClose={close} />}
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
        {noteId === undefined && isWide && <NoNote vaultId={vaultId} setFilter={setFilter} />}
      </div>
      <NoteForm
        isOpen={filter.new && mayEdit}
        onClose={() => setFilter({ new: false, title: '' })}
        vaultId={vaultId}
        title={filter.title}
        folderPath={folders.find(({ id }) => id === filter.folder)?.path ?? ''}
        folderPaths={folderPaths}
        onCreated={(id) => open(id, { write: true, view: 'edit' })}
      />
    </>
  )
}

/** The place of the text while no note is open. */
function NoNote({ vaultId, setFilter }: Omit<Props, 'filter'>) {
  const { data } = usePage('list-notes', { vaultId, limit: 1 })
  const mayEdit = useMay('editor')
  if (data === undefined) return null
  const [latest] = data.notes
  const onNew = () => setFilter({ new: true })
  return (
    <div className={classes.none}>
      {data.total === 0 ? (
        <NoNotes onNew={onNew} />
      ) : (
        <>
          <EmptyState
            icon={NotebookText}
            {...(mayEdit && {
              action: (
                <Button variant="default" leftSection={<Plus size={16} aria-hidden />} onClick={onNew}>
                  New note
                </Button>
              ),
            })}
          >
            Select a note to read it.
          </EmptyState>
          {latest !== undefined && <Latest note={latest} />}
        </>
      )}
    </div>
  )
}

/** How the note that changed last begins. */
function Latest({ note }: { note: NoteOutline }) {
  return (
    <section className={classes.latest} aria-label="Changed last">
      <Text size="xs" c="dimmed">
        Changed <Moment at={note.updatedAt} />
      </Text>
      <Text fz={18} fw={600}>
        {note.title}
      </Text>
      <Text c="dimmed" lineClamp={4}>
        {previewWithoutTitle(note)}
      </Text>
      <Anchor renderRoot={(props) => <Link {...props} to={`/notes/${note.noteId}`} search={noteSearch} />}>
        Continue reading
      </Anchor>
    </section>
  )
}
