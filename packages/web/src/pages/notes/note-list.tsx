import type { NoteOutline } from '@holdfast/client/dashboard'
import { Anchor, Button, Checkbox, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { FolderInput, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { PageOf } from '../../api/queries.ts'
import { Moment } from '../../components/text/moment.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { useRowKeys } from '../../components/lists/use-row-keys.ts'
import { useSelection } from '../../components/lists/selection.tsx'
import { useShortcut } from '../../shell/shortcuts.ts'
import { MoveForm } from './move-form.tsx'
import { isInTrash, type NoteFilter, type SetFilter } from './note-filter.ts'
import classes from './note-list.module.css'
import { countNotes, useNoteActions } from './use-note-actions.ts'

interface Props {
  vaultId: string
  page: PageOf<'browse-notes'>
  filter: NoteFilter
  setFilter: SetFilter
  /** The note that is open beside the list. */
  openId: string | undefined
  folderPaths: readonly string[]
  /** Opens a note to write in it. */
  onWrite: (id: string) => void
}

export function NoteList({ vaultId, page, filter, setFilter, openId, folderPaths, onWrite }: Props) {
  const ids = page.notes.map(({ noteId }) => noteId)
  const selection = useSelection(ids)
  const { discard, recover, move, isBusy } = useNoteActions(vaultId)
  const [isMoving, setMoving] = useState(false)
  const isTrash = isInTrash(filter)
  const putAway = (some: readonly string[]) =>
    isTrash ? recover(some, selection.clear) : discard(some, selection.clear)
  const { setCurrent } = useRowKeys(ids, {
    toggle: selection.toggle,
    ...(openId === undefined && { edit: onWrite, archive: (id) => putAway([id]) }),
  })
  useShortcut(openId === undefined ? 'Escape' : undefined, 'Clear the selection', selection.clear)
  const selected = page.notes.filter(({ noteId }) => selection.ids.includes(noteId))
  return (
    <>
      {selected.length > 0 && (
        <Group component="section" aria-label="Selected notes" className={classes.selected} gap="xs">
          <Text size="sm" fw={550}>
            {countNotes(selected.length)} selected
          </Text>
          {!isTrash && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<FolderInput size={14} aria-hidden />}
              onClick={() => setMoving(true)}
            >
              Move
            </Button>
          )}
          <Button
            size="compact-sm"
            variant="default"
            loading={isBusy}
            leftSection={isTrash ? <RotateCcw size={14} aria-hidden /> : <Trash2 size={14} aria-hidden />}
            onClick={() => putAway(selection.ids)}
          >
            {isTrash ? 'Restore' : 'Trash'}
          </Button>
          <Button size="compact-sm" variant="subtle" onClick={selection.clear}>
            Clear
          </Button>
        </Group>
      )}
      <ul className={classes.list} aria-label="Notes">
        {page.notes.map((note) => (
          <Row
            key={note.noteId}
            note={note}
            isOpen={note.noteId === openId}
            isSelected={selection.ids.includes(note.noteId)}
            hasFolder={filter.folder === '' || filter.folder !== note.folderId}
            onToggle={() => selection.toggle(note.noteId)}
            onFocus={() => setCurrent(note.noteId)}
          />
        ))}
      </ul>
      <Pager page={page} onOffset={(offset) => setFilter({ offset })} />
      <MoveForm
        isOpen={isMoving}
        onClose={() => setMoving(false)}
        what={countNotes(selected.length)}
        folderPaths={folderPaths}
        current=""
        onMove={(path) => move(selected, path, selection.clear)}
      />
    </>
  )
}

interface RowProps {
  note: NoteOutline
  isOpen: boolean
  isSelected: boolean
  hasFolder: boolean
  onToggle: () => void
  onFocus: () => void
}

const maxTags = 3

function Row({ note, isOpen, isSelected, hasFolder, onToggle, onFocus }: RowProps) {
  const { noteId, title, preview, tags, folderPath, updatedAt, agentId } = note
  return (
    <li className={classes.row} data-open={isOpen} data-selected={isSelected}>
      <Checkbox
        className={classes.check}
        aria-label={`Select ${title}`}
        checked={isSelected}
        onChange={onToggle}
        size="xs"
      />
      <div className={classes.main}>
        <Anchor
          renderRoot={(props) => <Link {...props} to={`/notes/${noteId}`} search />}
          c="inherit"
          className={classes.title}
          data-row={noteId}
          onFocus={onFocus}
          {...(isOpen && { 'aria-current': 'page' as const })}
        >
          {title}
        </Anchor>
        {preview !== '' && (
          <Text size="xs" c="dimmed" lineClamp={2} mt={2} className={classes.preview}>
            {preview}
          </Text>
        )}
        <div className={classes.below}>
          <Moment at={updatedAt} />
          {hasFolder && folderPath !== null && <span className={classes.folder}>{folderPath}</span>}
          {tags.slice(0, maxTags).map((tag) => (
            <span key={tag} className={classes.tag}>
              #{tag}
            </span>
          ))}
          {tags.length > maxTags && <span>and {tags.length - maxTags} more</span>}
          {agentId !== null && agentId !== 'user' && <span>by {agentId}</span>}
        </div>
      </div>
    </li>
  )
}
