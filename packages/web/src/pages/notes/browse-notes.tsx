import type { Folder } from '@holdfast/client/dashboard'
import { ActionIcon, Button, Collapse, Group, Select, Text, Title } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { ChevronDown, FolderTree as TreeIcon, Plus } from 'lucide-react'
import { useState, type ReactNode, type RefObject } from 'react'
import { useOperation, usePage } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { SkeletonList } from '../../components/feedback/skeletons.tsx'
import { NewButton } from '../../components/frame/new-button.tsx'
import { usePageTitle } from '../../components/frame/page.tsx'
import { SearchBox } from '../../components/lists/filters.tsx'
import { EmptyNotes } from './empty-notes.tsx'
import { FolderMenu } from './folder-menu.tsx'
import { FolderTree } from './folder-tree.tsx'
import { MoveFolder } from './move-folder.tsx'
import { inputOf, isInTrash, isStarred, type NoteFilter, type SetFilter } from './note-filter.ts'
import { NoteList } from './note-list.tsx'
import classes from './notes-page.module.css'
import { Pane } from './pane.tsx'
import { RecentNotes } from './recent-notes.tsx'
import { OnlyFor, ViewerNote } from '../../components/frame/only-for.tsx'
import { useVaults } from '../../shell/vault.ts'
import { useIsOnPhone } from '../../shell/use-is-on-phone.ts'

interface Props {
  vaultId: string
  filter: NoteFilter
  setFilter: SetFilter
  folders: readonly Folder[]
  folderPaths: readonly string[]
  openId: string | undefined
  /** Next to the text; otherwise the list takes its place. */
  isPane: boolean
  listRef: RefObject<HTMLDivElement | null>
  onWrite: (id: string) => void
}

interface TreeProps extends Props {
  onMove: (folder: Folder) => void
}

/** The folder tree, and the notes of the selected folder. */
export function BrowseNotes(props: Props) {
  const { vaultId, filter, setFilter, folders, openId, isPane, listRef } = props
  // Here, because the tree changes its place with the size of the window, which must not close the form.
  const [moved, setMoved] = useState<Folder>()
  const { vault } = useVaults()
  const isOnPhone = useIsOnPhone()
  const hasRoom = useMediaQuery('(min-width: 1440px)', window.innerWidth >= 1440)
  const filters =
    filter.state === 'live' ? <Filters vaultId={vaultId} filter={filter} setFilter={setFilter} /> : undefined
  const list = (
    <>
      <ViewerNote />
      {!isPane && filters}
      <Notes {...props} />
    </>
  )
  const heading = (
    <>
      {openId === undefined ? (
        <PageTitle isSmall={isPane} />
      ) : (
        <Title order={2} fz="md" fw={600} pl={10}>
          Notes
        </Title>
      )}
      <OnlyFor needs="editor">
        {isPane ? (
          <ActionIcon variant="subtle" color="gray" aria-label="New note" onClick={() => setFilter({ new: true })}>
            <Plus size={18} aria-hidden />
          </ActionIcon>
        ) : (
          <NewButton isEmpty={vault?.noteCount === 0} onClick={() => setFilter({ new: true })}>
            New note
          </NewButton>
        )}
      </OnlyFor>
    </>
  )
  return (
    <>
      {!isOnPhone && <FolderPane {...props} onMove={setMoved} />}
      {isPane ? (
        <Pane
          name="notes-list"
          label="Note list"
          side="start"
          presetPx={hasRoom ? 308 : 248}
          heading={heading}
          tools={filters}
        >
          {list}
        </Pane>
      ) : (
        <div className={classes.list} ref={listRef}>
          <Group justify="space-between" mb="md">
            {heading}
          </Group>
          {isOnPhone && (
            <FolderButton {...props} onMove={setMoved} current={folders.find(({ id }) => id === filter.folder)} />
          )}
          {list}
        </div>
      )}
      <MoveFolder vaultId={vaultId} folders={folders} folder={moved} onClose={() => setMoved(undefined)} />
    </>
  )
}

function PageTitle({ isSmall }: { isSmall: boolean }) {
  usePageTitle('Notes')
  return (
    <Title order={1} {...(isSmall && { fz: 'md', fw: 600, pl: 10 })}>
      Notes
    </Title>
  )
}

function FolderPane(props: TreeProps) {
  return (
    <Folders {...props}>
      {(tree, menu) => (
        <Pane
          name="notes-folders"
          label="Folders"
          side="start"
          presetPx={176}
          heading={
            <>
              <Text fw={600} pl={8}>
                Folders
              </Text>
              {menu}
            </>
          }
        >
          {tree}
        </Pane>
      )}
    </Folders>
  )
}

/** On phones, the folders open below this button. */
function FolderButton({ current, ...props }: TreeProps & { current: Folder | undefined }) {
  const [isOpen, open] = useDisclosure()
  const { filter } = props
  return (
    <div className={classes.folderButton}>
      <Button
        variant="default"
        fullWidth
        justify="flex-start"
        leftSection={<TreeIcon size={16} aria-hidden />}
        rightSection={<ChevronDown size={16} aria-hidden />}
        styles={{ label: { flex: 1 } }}
        aria-expanded={isOpen}
        onClick={open.toggle}
      >
        {titleOf(filter, current)}
      </Button>
      <Collapse expanded={isOpen} mt="xs">
        <Folders {...props}>
          {(tree, menu) => (
            <>
              <Group justify="flex-end">{menu}</Group>
              {tree}
            </>
          )}
        </Folders>
      </Collapse>
    </div>
  )
}

function titleOf(filter: NoteFilter, current: Folder | undefined): string {
  if (isInTrash(filter)) return 'Trash'
  if (filter.state === 'recent') return 'Recent'
  if (isStarred(filter)) return 'Starred'
  return current?.path ?? (filter.folder === 'root' ? 'Unfiled' : 'All notes')
}

interface FoldersProps extends TreeProps {
  children: (tree: ReactNode, menu: ReactNode) => ReactNode
}

const Folders = ({ vaultId, filter, setFilter, folders, onMove, children }: FoldersProps) =>
  children(
    <FolderTree
      folders={folders}
      noteCount={useVaults().vault?.noteCount}
      filter={filter}
      setFilter={setFilter}
      onMove={onMove}
    />,
    <OnlyFor needs="editor">
      <FolderMenu
        vaultId={vaultId}
        folder={folders.find(({ id }) => id === filter.folder)}
        onChoose={(folder) => setFilter({ folder, state: 'live', offset: 0 })}
        onMove={onMove}
      />
    </OnlyFor>,
  )

function Notes(props: Props) {
  const { vaultId, filter, setFilter, folders, openId, isPane } = props
  if (filter.state === 'recent') return <RecentNotes vaultId={vaultId} openId={openId} />
  return (
    <NotePage
      {...props}
      emptyNotice={<EmptyNotes filter={filter} setFilter={setFilter} hasFolders={folders.length > 0} isPane={isPane} />}
    />
  )
}

function NotePage({ emptyNotice, ...props }: Props & { emptyNotice: ReactNode }) {
  const notes = usePage('list-notes', inputOf(props.filter, props.vaultId))
  return (
    <Loaded query={notes} skeleton={<SkeletonList rows={6} />}>
      {(page) => (page.total === 0 ? emptyNotice : <NoteList {...props} page={page} />)}
    </Loaded>
  )
}

function Filters({ vaultId, filter, setFilter }: Pick<Props, 'vaultId' | 'filter' | 'setFilter'>) {
  const { data } = useOperation('suggest-tags', { vaultId })
  const tags = data?.tags ?? []
  const isMissing = filter.tag !== '' && !tags.some(({ tag }) => tag === filter.tag)
  return (
    <search className={classes.filters}>
      <SearchBox
        value={filter.q}
        onChange={(q) => setFilter({ q, offset: 0 })}
        label="Filter notes"
        placeholder="Search"
      />
      {(tags.length > 0 || filter.tag !== '') && (
        <Select
          aria-label="Tag"
          placeholder="Tag"
          clearable
          searchable
          w={filter.tag === '' ? 84 : 120}
          flex="none"
          value={filter.tag === '' ? null : filter.tag}
          data={[...(isMissing ? [filter.tag] : []), ...tags.map(({ tag }) => tag)]}
          onChange={(tag) => setFilter({ tag: tag ?? '', offset: 0 })}
          comboboxProps={{ width: 'max-content', position: 'bottom-end' }}
        />
      )}
    </search>
  )
}
