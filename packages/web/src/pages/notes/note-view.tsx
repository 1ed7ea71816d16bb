import type { Note } from '@holdfast/client/dashboard'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { FileQuestionMark } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { isNotFound } from '../../api/call-error.ts'
import { useOperation } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { RecordMissing } from '../../components/records/record-missing.tsx'
import { useShortcut } from '../../shell/shortcuts.ts'
import { holdDraft, leaveDraft, openDraft, storedOf } from './drafts.ts'
import type { EditorHandle } from './editor/note-editor.tsx'
import { titleKey } from './editor/wiki-target.ts'
import { listHeadings } from './list-headings.ts'
import type { NoteDraft } from './note-draft.ts'
import type { NoteFilter, SetFilter } from './note-filter.ts'
import type { NoteViewProps, OpenNoteProps } from './open-note.ts'
import { NoteHead } from './note-head.tsx'
import { NotePanel } from './note-panel.tsx'
import { NoteBody } from './note-body.tsx'
import classes from './note-view.module.css'
import { useNoteActions } from './use-note-actions.ts'
import { VersionDialog } from './versions.tsx'

/** One note with its editor and side panel. */
export function NoteView(props: NoteViewProps) {
  const { vaultId, id, onClose } = props
  const found = useOperation('read-note', { vaultId, noteId: id })
  if (isNotFound(found.error, 'noteId') && found.data === undefined)
    return (
      <div className={classes.view}>
        <RecordMissing
          id={id}
          path="/notes"
          icon={FileQuestionMark}
          action={<Button onClick={onClose}>All notes</Button>}
        >
          Note not found. It may have been deleted.
        </RecordMissing>
      </div>
    )
  return (
    <div className={classes.view}>
      <Loaded query={found}>{(answer) => <OpenNote {...props} {...answer} />}</Loaded>
    </div>
  )
}

function useDraft(note: Note): NoteDraft {
  const client = useQueryClient()
  const [draft] = useState(() => openDraft(client, note))
  useEffect(() => {
    holdDraft(note.noteId, draft)
    return () => void leaveDraft(note.noteId)
  }, [note.noteId, draft])
  useEffect(() => draft.receive(storedOf(note)), [note, draft])
  return draft
}

function OpenNote(props: OpenNoteProps) {
  const { vaultId, note, filter, setFilter, isWide, onClose } = props
  const draft = useDraft(note)
  const snapshot = useSyncExternalStore(draft.subscribe, () => draft.snapshot)
  const editor = useRef<EditorHandle>(null)
  const frame = useRef<HTMLElement>(null)
  const { discard } = useNoteActions(vaultId)
  const [isPanelOpen, setPanelOpen] = useState(false)
  const isTrashed = note.status === 'trashed'
  const moveToTrash = () => void draft.saveNow().then(() => discard([note.noteId], onClose))
  useShortcut('e', 'Edit the text', () => editor.current?.focus())
  useShortcut(isTrashed ? undefined : '#', 'Move the note to the trash', moveToTrash)
  useShortcut('Escape', 'Leave the text, then return to the list', onClose)
  useBeginning({ content: snapshot.mine.content, filter, setFilter, editor })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      void draft.saveNow()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [draft])
  return (
    <div className={classes.columns}>
      <article ref={frame} tabIndex={-1} aria-label={snapshot.mine.title} className={classes.article}>
        <NoteHead
          {...props}
          draft={draft}
          snapshot={snapshot}
          onTrash={moveToTrash}
          onPanel={() => setPanelOpen(true)}
          onDown={() => editor.current?.focus()}
        />
        <NoteBody {...props} draft={draft} snapshot={snapshot} editor={editor} onLeave={() => frame.current?.focus()} />
      </article>
      <NotePanel
        {...props}
        draft={draft}
        content={snapshot.mine.content}
        isOpen={isPanelOpen}
        isBeside={isWide}
        onClosePanel={() => setPanelOpen(false)}
        onGoTo={(at) => {
          setPanelOpen(false)
          // A drawer first returns the focus to the button that opened it.
          setTimeout(() => editor.current?.goTo(at), isWide ? 0 : 50)
        }}
      />
      <VersionDialog {...props} draft={draft} />
    </div>
  )
}

interface Beginning {
  content: string
  filter: NoteFilter
  setFilter: SetFilter
  editor: { current: EditorHandle | null }
}

/** Scrolls to the heading in the URL, or focuses the editor. */
function useBeginning({ content, filter: { heading, write }, setFilter, editor }: Beginning): void {
  useEffect(() => {
    if (heading === '' && !write) return
    const at = listHeadings(content).find(({ text }) => titleKey(text) === titleKey(heading))?.from
    if (heading !== '' && at !== undefined) editor.current?.goTo(at)
    else if (write) editor.current?.focus()
    setFilter({ heading: '', write: false })
    // oxlint-disable-next-line react/exhaustive-deps -- only when the URL asks for it
  }, [heading, write])
}
