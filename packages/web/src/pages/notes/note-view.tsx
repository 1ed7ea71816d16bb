import type { Note } from '@holdfast/client/dashboard'
import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { FileQuestionMark } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo, useRef, useState, useSyncExternalStore, type RefObject } from 'react'
import { isNotFound } from '../../api/call-error.ts'
import { useOperation } from '../../api/queries.ts'
import { isCovered } from '../../components/feedback/is-covered.ts'
import { ViewerNote } from '../../components/frame/only-for.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { SkeletonList } from '../../components/feedback/skeletons.tsx'
import { RecordMissing } from '../../components/records/record-missing.tsx'
import { isApple, useShortcut } from '../../shell/shortcuts.ts'
import { holdDraft, leaveDraft, openDraft, storedOf } from './drafts.ts'
import { titleKey } from './editor/wiki-target.ts'
import { listHeadings } from './list-headings.ts'
import type { NoteDraft } from './note-draft.ts'
import { starTag, type NoteFilter, type SetFilter } from './note-filter.ts'
import { presetView, type NoteViewProps, type OpenNoteProps, type TextHandle, type View } from './open-note.ts'
import { NoteHead } from './note-head.tsx'
import { detailsPane, NotePanel } from './note-panel.tsx'
import { NoteBody } from './note-body.tsx'
import { openPane } from './pane.tsx'
import classes from './note-view.module.css'
import { useNoteActions } from './use-note-actions.ts'
import { VersionDialog } from './versions.tsx'
import { useIsFixed } from './use-is-fixed.ts'

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
    <Loaded query={found} skeleton={<Skeletons />}>
      {(answer) => <OpenNote {...props} {...answer} />}
    </Loaded>
  )
}

const Skeletons = () => (
  <div className={classes.article}>
    <SkeletonList />
  </div>
)

function useDraft(note: Note): NoteDraft {
  const client = useQueryClient()
  const [draft] = useState(() => {
    const opened = openDraft(client, note)
    opened.findLead()
    return opened
  })
  useEffect(() => {
    holdDraft(note.noteId, draft)
    return () => void leaveDraft(note.noteId)
  }, [note.noteId, draft])
  useEffect(() => draft.receive(storedOf(note)), [note, draft])
  return draft
}

/** Does nothing once the person has left the note, for what ends after that. */
function useWhileHere(act: () => void): () => void {
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return () => {
    if (isHere.current) act()
  }
}

function OpenNote(props: OpenNoteProps) {
  const { vaultId, note, filter, setFilter, onClose } = props
  const draft = useDraft(note)
  const snapshot = useSyncExternalStore(draft.subscribe, () => draft.snapshot)
  const text = useRef<TextHandle>(null)
  const frame = useRef<HTMLElement>(null)
  const hasRoom = useMediaQuery('(min-width: 1440px)', window.innerWidth >= 1440)
  const { discard } = useNoteActions(vaultId)
  const [isPanelOpen, setPanelOpen] = useState(false)
  const isFixed = useIsFixed(note)
  const { lead, mine } = snapshot
  const body = useMemo(() => mine.content.slice(lead.length), [mine.content, lead])
  const { view, show } = useView({ ...props, draft, text, frame })
  const closeIfOpen = useWhileHere(onClose)
  const star = () => {
    draft.change({ tags: withStar(mine.tags) })
    void draft.saveNow()
  }
  const showLinks = () => {
    setFilter({ panel: 'links' })
    if (hasRoom) openPane(detailsPane)
    else setPanelOpen(true)
  }
  const moveToTrash = () =>
    void draft.saveNow().then(() => discard([{ noteId: note.noteId, title: mine.title }], closeIfOpen))
  useShortcut(isFixed ? undefined : 'e', 'Edit the text', () =>
    view === 'edit' ? text.current?.focus() : show('edit'),
  )
  useShortcut(isFixed ? undefined : 's', 'Star the note, or remove its star', star)
  useShortcut(isFixed ? undefined : '#', 'Move the note to the trash', moveToTrash)
  // Escape may just have closed a dialog.
  useShortcut('Escape', 'Leave the text, then return to the list', () => isCovered() || onClose())
  useCommandKeys({ s: () => void draft.saveNow(), e: () => show(view === 'edit' ? 'read' : 'edit') })
  useBeginning({ body, filter, setFilter, text })
  return (
    <>
      <article ref={frame} tabIndex={-1} aria-label={mine.title} className={classes.article}>
        {/* Next to the list, it is above the list. */}
        {!props.isWide && <ViewerNote />}
        <NoteHead
          {...props}
          draft={draft}
          snapshot={snapshot}
          view={view}
          hasPanel={hasRoom}
          onView={show}
          onStar={star}
          onTrash={moveToTrash}
          onPanel={() => setPanelOpen(true)}
          onLinks={showLinks}
          onDown={() => text.current?.focus()}
        />
        <NoteBody
          {...props}
          view={view}
          draft={draft}
          snapshot={snapshot}
          body={body}
          text={text}
          onLeave={() => frame.current?.focus()}
        />
      </article>
      <NotePanel
        {...props}
        draft={draft}
        content={body}
        isOpen={isPanelOpen}
        isBeside={hasRoom}
        onClosePanel={() => setPanelOpen(false)}
        onGoTo={(at) => {
          setPanelOpen(false)
          // A drawer first returns the focus to the button that opened it.
          setTimeout(() => text.current?.goTo(at), hasRoom ? 0 : 50)
        }}
      />
      <VersionDialog {...props} draft={draft} />
    </>
  )
}

const withStar = (tags: readonly string[]) =>
  tags.includes(starTag) ? tags.filter((tag) => tag !== starTag) : [...tags, starTag]

interface ViewOf extends OpenNoteProps {
  draft: NoteDraft
  text: RefObject<TextHandle | null>
  frame: RefObject<HTMLElement | null>
}

/** The view of the text. A switch stays at the same place of it. */
function useView({ note, filter, setFilter, draft, text, frame }: ViewOf) {
  const [preset] = useState(() => presetView(note))
  const asked = filter.view === '' ? preset : filter.view
  const isFixed = useIsFixed(note)
  const view: View = isFixed ? 'read' : asked
  const place = useRef<number>(undefined)
  const show = (next: View) => {
    if (isFixed || next === view) return
    place.current = text.current?.top() ?? 0
    draft.findLead()
    setFilter({ view: next })
  }
  useEffect(() => {
    const at = place.current
    place.current = undefined
    if (at === undefined) return
    if (at > 0) text.current?.goTo(at)
    else if (view === 'edit') text.current?.focus()
    else frame.current?.focus({ preventScroll: true })
  }, [view, text, frame])
  return { view, show }
}

/** Keys with Ctrl or Cmd, which work in the text as well. */
function useCommandKeys(keys: Readonly<Record<string, () => void>>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isCommand = isApple ? event.metaKey : event.ctrlKey
    const run = isCommand && !event.shiftKey && !event.altKey ? keys[event.key.toLowerCase()] : undefined
    if (run === undefined || isCovered()) return
    event.preventDefault()
    run()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

interface Beginning {
  body: string
  filter: NoteFilter
  setFilter: SetFilter
  text: RefObject<TextHandle | null>
}

/** Scrolls to the heading in the URL, or focuses the editor. */
function useBeginning({ body, filter: { heading, write }, setFilter, text }: Beginning): void {
  useEffect(() => {
    if (heading === '' && !write) return
    const at = listHeadings(body).find((one) => titleKey(one.text) === titleKey(heading))?.from
    if (heading !== '' && at !== undefined) text.current?.goTo(at)
    else if (write) text.current?.focus()
    setFilter({ heading: '', write: false })
    // oxlint-disable-next-line react/exhaustive-deps -- only when the URL asks for it
  }, [heading, write])
}
