import { ActionIcon, Button, Menu, SegmentedControl, TagsInput, Title, VisuallyHidden } from '@mantine/core'
import {
  Download,
  Ellipsis,
  FolderInput,
  PanelRight,
  RotateCcw,
  Star,
  Trash2,
  Workflow,
  CircleAlert,
  Cloud,
  CloudOff,
  CloudUpload,
  GitMerge,
  PencilLine,
  type LucideIcon,
} from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction, useOperation } from '../../api/queries.ts'
import { ByLine } from '../../components/records/by-line.tsx'
import { ConfirmByName } from '../../components/feedback/confirm-by-name.tsx'
import { BackButton } from '../../components/frame/back-button.tsx'
import { usePageTitle } from '../../components/frame/page.tsx'
import { commandKey } from '../../shell/shortcuts.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { LinkedFrom } from './backlinks.tsx'
import { MoveForm } from './move-form.tsx'
import type { DraftSnapshot, NoteDraft, SaveState } from './note-draft.ts'
import { refreshNotes, useNoteActions } from './use-note-actions.ts'
import classes from './note-view.module.css'
import { starTag } from './note-filter.ts'
import type { OpenNoteProps, View } from './open-note.ts'
import { TitleInput } from './title-input.tsx'
import { OnlyFor } from '../../components/frame/only-for.tsx'
import { useIsFixed } from './use-is-fixed.ts'

interface Props extends OpenNoteProps {
  draft: NoteDraft
  snapshot: DraftSnapshot
  view: View
  /** The details have a pane next to the text. */
  hasPanel: boolean
  onView: (view: View) => void
  onStar: () => void
  onTrash: () => void
  onPanel: () => void
  /** Shows what links here. */
  onLinks: () => void
  /** Moves the focus from the title to the text. */
  onDown: () => void
}

export function NoteHead(props: Props) {
  const { vaultId, note, draft, snapshot, isWide, folderPaths, view, hasPanel, onClose, onPanel, onLinks, onDown } =
    props
  const { title } = snapshot.mine
  const [isMoving, setMoving] = useState(false)
  const [isErasing, setErasing] = useState(false)
  const { move } = useNoteActions(vaultId)
  const isFixed = useIsFixed(note)
  usePageTitle(title)
  return (
    <header className={classes.head}>
      <VisuallyHidden>
        <Title order={1}>{title}</Title>
      </VisuallyHidden>
      <div className={classes.bar}>
        <div className={classes.place}>
          {!isWide && <BackButton onClick={onClose}>All notes</BackButton>}
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            fw={400}
            disabled={isFixed}
            onClick={() => setMoving(true)}
            leftSection={<FolderInput size={14} aria-hidden />}
            className={classes.folder}
          >
            <span className={classes.folderName}>{note.folderPath ?? 'Unfiled'}</span>
          </Button>
        </div>
        {(!isFixed || snapshot.state.kind !== 'saved') && (
          <SaveMark state={snapshot.state} onRetry={() => void draft.saveNow()} />
        )}
        {!isFixed && <ViewSwitch {...props} />}
        {!hasPanel && (
          <ActionIcon variant="subtle" color="gray" aria-label="Outline, links and versions" onClick={onPanel}>
            <PanelRight size={18} />
          </ActionIcon>
        )}
        <NoteMenu {...props} onMove={() => setMoving(true)} onErase={() => setErasing(true)} />
      </div>
      <TitleInput vaultId={vaultId} note={note} draft={draft} title={title} isFixed={isFixed} onDown={onDown} />
      <div className={classes.by}>
        <ByLine record={note} />
        <LinkedFrom vaultId={vaultId} id={note.noteId} onOpen={onLinks} />
      </div>
      {(view === 'edit' || snapshot.mine.tags.length > 0) && (
        <Tags
          vaultId={vaultId}
          tags={snapshot.mine.tags}
          isReadOnly={view === 'read'}
          onChange={(tags) => draft.change({ tags })}
        />
      )}
      <MoveForm
        isOpen={isMoving}
        onClose={() => setMoving(false)}
        what="the note"
        folderPaths={folderPaths}
        current={note.folderPath ?? ''}
        onMove={(path) => void draft.saveNow().then(() => move([note], path))}
      />
      <EraseNote {...props} isOpen={isErasing} onCloseQuestion={() => setErasing(false)} />
    </header>
  )
}

function ViewSwitch({ view, snapshot, onView, onStar }: Props) {
  const isStarred = snapshot.mine.tags.includes(starTag)
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={`View of the text (${commandKey}+E)`}
        value={view}
        onChange={(next) => onView(next === 'read' ? 'read' : 'edit')}
        data={[
          { value: 'read', label: 'Read' },
          { value: 'edit', label: 'Edit' },
        ]}
      />
      <ActionIcon variant="subtle" color="gray" aria-label="Star" aria-pressed={isStarred} onClick={onStar}>
        <Star size={17} aria-hidden fill={isStarred ? 'currentColor' : 'none'} />
      </ActionIcon>
    </>
  )
}

interface MenuProps extends Props {
  onMove: () => void
  onErase: () => void
}

function NoteMenu({ vaultId, note, snapshot, onMove, onErase, onTrash }: MenuProps) {
  const isFixed = useIsFixed(note)
  const { recover } = useNoteActions(vaultId)
  const navigate = useNavigate()
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="Note actions">
          <Ellipsis size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!isFixed && (
          <Menu.Item leftSection={<FolderInput size={14} aria-hidden />} onClick={onMove}>
            Move to a folder
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<Workflow size={14} aria-hidden />}
          onClick={() => void navigate({ to: '/graph', search: { from: note.noteId } })}
        >
          Show in graph
        </Menu.Item>
        <Menu.Item
          leftSection={<Download size={14} aria-hidden />}
          onClick={() => saveAsFile(snapshot.mine.title, snapshot.mine.content)}
        >
          Download as Markdown
        </Menu.Item>
        {note.status === 'trashed' && (
          <>
            <OnlyFor needs="editor">
              <Menu.Item leftSection={<RotateCcw size={14} aria-hidden />} onClick={() => recover([note])}>
                Restore
              </Menu.Item>
            </OnlyFor>
            <OnlyFor needs="admin">
              <Menu.Item c="red" leftSection={<Trash2 size={14} aria-hidden />} onClick={onErase}>
                Delete permanently
              </Menu.Item>
            </OnlyFor>
          </>
        )}
        {!isFixed && (
          <Menu.Item leftSection={<Trash2 size={14} aria-hidden />} onClick={onTrash}>
            Move to trash
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

interface EraseProps extends Pick<Props, 'vaultId' | 'id' | 'onClose'> {
  isOpen: boolean
  onCloseQuestion: () => void
}

function EraseNote({ vaultId, id, onClose, isOpen, onCloseQuestion }: EraseProps) {
  const client = useQueryClient()
  const erase = useAction('erase-note', {
    onDone() {
      toast('Deleted permanently')
      onClose()
      void refreshNotes(client, id)
    },
  })
  return (
    <ConfirmByName
      isOpen={isOpen}
      onClose={onCloseQuestion}
      name="delete"
      title="Delete this note permanently?"
      body="This also deletes its versions and links. Only a backup can bring it back. Memories and conversations that repeat its words stay."
      confirmLabel="Delete permanently"
      isBusy={erase.isPending}
      onConfirm={() => erase.mutate({ vaultId, noteId: id }, { onError: (error) => toastError(error) })}
    />
  )
}

interface TagsProps {
  vaultId: string
  tags: readonly string[]
  isReadOnly: boolean
  onChange: (tags: string[]) => void
}

function Tags({ vaultId, tags, isReadOnly, onChange }: TagsProps) {
  const { data } = useOperation('suggest-tags', { vaultId })
  return (
    <TagsInput
      className={classes.tags}
      variant="unstyled"
      size="xs"
      aria-label="Tags"
      placeholder={isReadOnly ? '' : 'Add a tag'}
      value={[...tags]}
      onChange={onChange}
      data={data?.tags.map(({ tag }) => tag) ?? []}
      maxTags={50}
      readOnly={isReadOnly}
      acceptValueOnBlur
    />
  )
}

const marks: Record<SaveState['kind'], readonly [LucideIcon, string]> = {
  saved: [Cloud, 'Saved'],
  changed: [PencilLine, 'Not saved yet'],
  saving: [CloudUpload, 'Saving…'],
  retrying: [CloudOff, 'Not saved: '],
  refused: [CircleAlert, 'Not saved: '],
  conflict: [GitMerge, 'Not saved: changed by someone else'],
  gone: [CircleAlert, 'Not saved: the note was deleted'],
}

/** Shows whether the text is saved, and if not, why. */
function SaveMark({ state, onRetry }: { state: SaveState; onRetry: () => void }) {
  const [Icon, words] = marks[state.kind]
  const isBad = !['saved', 'changed', 'saving'].includes(state.kind)
  // Before the first edit, there is nothing to report.
  const [isEdited, setEdited] = useState(state.kind !== 'saved')
  if (!isEdited && state.kind !== 'saved') setEdited(true)
  const reason = state.kind === 'retrying' || state.kind === 'refused' ? state.reason : ''
  return (
    <span className={classes.state} data-tone={isBad ? 'bad' : 'calm'} data-save={state.kind} data-quiet={!isEdited}>
      <Icon size={14} aria-hidden />
      <span role={isBad ? 'alert' : undefined}>
        {words}
        {reason}
        {state.kind === 'retrying' && ' Retrying.'}
      </span>
      {state.kind === 'retrying' && (
        <Button size="compact-xs" variant="default" flex="none" onClick={onRetry}>
          Try now
        </Button>
      )}
    </span>
  )
}

/** Downloads the text as a file. */
function saveAsFile(title: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'text/markdown' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${fileNameOf(title)}.md`
  link.click()
  URL.revokeObjectURL(url)
}

/** Removes characters that have a special meaning in a file system. */
const fileNameOf = (title: string) =>
  title
    .replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ')
    .trim()
    .replace(/^\.+/, '')
    .slice(0, 120) || 'note'
