import type { NoteOutline } from '@holdfast/client/dashboard'
import { Link } from '@tanstack/react-router'
import { FolderInput, RotateCcw, Star, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { PageOf } from '../../api/queries.ts'
import { nameWriters } from '../../components/records/writers.ts'
import { Moment } from '../../components/text/moment.tsx'
import { LeftOut } from '../../components/lists/left-out.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { MoveForm } from './move-form.tsx'
import { isInTrash, noteSearch, starTag, type NoteFilter, type SetFilter } from './note-filter.ts'
import classes from './note-list.module.css'
import { countNotes, useNoteActions } from './use-note-actions.ts'
import { previewWithoutTitle } from '../../components/text/preview-without-title.ts'
import { BulkBar, BulkButton, useSelectableRows } from '../../components/lists/record-list.tsx'
import { selectByTap, SelectLine, useTapsSelect } from '../../components/lists/selection.tsx'
import { OnlyFor } from '../../components/frame/only-for.tsx'

interface Props {
  vaultId: string
  page: PageOf<'list-notes'>
  filter: NoteFilter
  setFilter: SetFilter
  /** The note that is open next to the list. */
  openId: string | undefined
  folderPaths: readonly string[]
  /** Opens a note and focuses its editor. */
  onWrite: (id: string) => void
}

export function NoteList({ vaultId, page, filter, setFilter, openId, folderPaths, onWrite }: Props) {
  const { discard, recover, move, isBusy } = useNoteActions(vaultId)
  const [isMoving, setMoving] = useState(false)
  const isTrash = isInTrash(filter)
  const isAlone = openId === undefined
  const { selection, selected, setCurrent } = useSelectableRows(page.notes, ({ noteId }) => noteId, {
    ...(isAlone && {
      edit: onWrite,
      archive: (id: string) => trashOrRestore(page.notes.filter(({ noteId }) => noteId === id)),
    }),
    hasEscape: isAlone,
  })
  const tapsSelect = useTapsSelect(selection)
  const trashOrRestore = (some: readonly NoteOutline[]) =>
    isTrash ? recover(some, selection.clear) : discard(some, selection.clear)
  return (
    <>
      {selected.length > 0 && (
        <BulkBar one="note" many="notes" count={selected.length} isAbove onClear={selection.clear}>
          {!isTrash && (
            <BulkButton icon={FolderInput} onClick={() => setMoving(true)}>
              Move
            </BulkButton>
          )}
          <BulkButton icon={isTrash ? RotateCcw : Trash2} isBusy={isBusy} onClick={() => trashOrRestore(selected)}>
            {isTrash ? 'Restore' : 'Move to trash'}
          </BulkButton>
        </BulkBar>
      )}
      <LeftOut pages={[page]} />
      <OnlyFor needs="editor">
        <SelectLine selection={selection}>{countNotes(page.total)}</SelectLine>
      </OnlyFor>
      <ul className={classes.list} data-selecting={selection.isOn} aria-label="Notes">
        {page.notes.map((note) => (
          <Row
            key={note.noteId}
            note={note}
            isOpen={note.noteId === openId}
            isSelected={selection.ids.includes(note.noteId)}
            tapsSelect={tapsSelect}
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
  tapsSelect: boolean
  hasFolder: boolean
  onToggle: () => void
  onFocus: () => void
}

/** Two lines: the title and its time, then as much about the note as fits. Narrow lists keep how the text begins. Its tags are in the filter. */
function Row({ note, isOpen, isSelected, tapsSelect, hasFolder, onToggle, onFocus }: RowProps) {
  const { noteId, title, folderPath, updatedAt } = note
  const preview = previewWithoutTitle(note)
  const writers = nameWriters(note)
  return (
    <li
      onClickCapture={tapsSelect ? selectByTap(onToggle) : undefined}
      className={classes.row}
      data-open={isOpen}
      data-selected={isSelected}
    >
      <OnlyFor needs="editor">
        <span className={classes.check}>
          <input type="checkbox" aria-label={`Select ${title}`} checked={isSelected} onChange={onToggle} />
        </span>
      </OnlyFor>
      <div className={classes.main}>
        <div className={classes.first}>
          <Link
            to={`/notes/${noteId}`}
            search={noteSearch}
            resetScroll={false}
            className={classes.title}
            data-row={noteId}
            onFocus={onFocus}
            {...(isOpen && { 'aria-current': 'page' as const })}
          >
            {title}
          </Link>
          <span className={classes.when}>
            <Moment at={updatedAt} isBrief />
          </span>
        </div>
        <div className={classes.below}>
          {note.tags.includes(starTag) && <Star size={13} role="img" aria-label="Starred" className={classes.star} />}
          {writers !== 'you' && <span className={classes.extra}>by {writers}</span>}
          {hasFolder && folderPath !== null && <span className={classes.extra}>{folderPath}</span>}
          {preview !== '' && <span className={classes.rest}>{preview}</span>}
        </div>
      </div>
    </li>
  )
}
