import { Alert, Button, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleAlert, Trash2 } from 'lucide-react'
import { useMemo, useRef, type RefObject } from 'react'
import { call } from '../../api/call.ts'
import { useAction } from '../../api/queries.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { isReadable } from '../../components/text/is-readable.ts'
import type { LinkTarget } from './editor/link-at.ts'
import { NoteEditor } from './editor/note-editor.tsx'
import { followTags, listTextTags } from './editor/text-tags.ts'
import { withTitle } from './editor/wiki-target.ts'
import { NoteConflict } from './note-conflict.tsx'
import type { DraftSnapshot, NoteDraft } from './note-draft.ts'
import { refreshNotes, useNoteActions } from './use-note-actions.ts'
import type { OpenNoteProps, TextHandle, View } from './open-note.ts'
import { Properties } from './properties-box.tsx'
import { ReadText } from './reader/read-text.tsx'
import { OnlyFor } from '../../components/frame/only-for.tsx'
import { useMay } from '../../shell/role.ts'

interface Props extends OpenNoteProps {
  view: View
  draft: NoteDraft
  snapshot: DraftSnapshot
  body: string
  text: RefObject<TextHandle | null>
  onLeave: () => void
}

/** The text in the editor or the reading view, with notices about the state of the note. */
export function NoteBody(props: Props) {
  const { vaultId, id, note, unresolvedLinks, view, draft, snapshot, body, text, onLeave } = props
  const isTrashed = note.status === 'trashed'
  const { recover, isBusy } = useNoteActions(vaultId)
  const change = useTextTags(props)
  const open = useOpenTarget(props)
  const isRead = useMemo(() => isReadable(body), [body])
  if (snapshot.state.kind === 'conflict')
    return <NoteConflict vaultId={vaultId} id={id} draft={draft} snapshot={snapshot} />
  return (
    <>
      {snapshot.state.kind === 'gone' && <Gone {...props} />}
      {isTrashed && (
        <Alert color="yellow" variant="light" icon={<Trash2 size={16} aria-hidden />} mb="md">
          <Group justify="space-between" gap="sm">
            <Text>This note is in the trash. Searches don’t find it, and links don’t lead here.</Text>
            <OnlyFor needs="editor">
              <Button size="compact-sm" variant="default" loading={isBusy} onClick={() => recover([note])}>
                Restore
              </Button>
            </OnlyFor>
          </Group>
        </Alert>
      )}
      <Properties lead={snapshot.lead} isReadOnly={view === 'read'} onChange={(front) => draft.changeFront(front)} />
      {!isRead && (
        <Text size="sm" c="dimmed" mb="xs">
          This note is too large to format, so it is shown as plain text. Split its long lines or paragraphs to get
          headings and tags.
        </Text>
      )}
      {view === 'read' ? (
        <ReadText {...props} onOpenTarget={open} />
      ) : (
        <NoteEditor
          vaultId={vaultId}
          content={body}
          isReadOnly={isTrashed}
          missingTitles={unresolvedLinks}
          onChange={change}
          onBlur={(content) => change(content, -1)}
          onOpen={open}
          onSave={() => void draft.saveNow()}
          onLeave={onLeave}
          ref={text}
        />
      )}
    </>
  )
}

/** Follows a link of the text, or offers to create the note that it names. */
function useOpenTarget({ vaultId, links, snapshot, onOpen, setFilter }: Props) {
  const navigate = useNavigate()
  const mayEdit = useMay('editor')
  const open = async (target: LinkTarget) => {
    if (target.kind === 'page') return void window.open(target.href, '_blank', 'noopener,noreferrer')
    if (target.kind === 'memory') return void navigate({ to: `/memories/${target.id}` })
    if (target.kind === 'tag') return setFilter({ tag: target.tag, folder: '', state: 'live', q: '', offset: 0 })
    const { title, heading = '' } = target
    const known = withTitle(links, title) ?? (await findByTitle(vaultId, title))
    if (known !== undefined) onOpen(known.noteId, { heading })
    else if (isOwn(title, snapshot.mine.title)) return
    else if (mayEdit) setFilter({ new: true, title })
    else toast(`No note is called “${title}” yet`)
  }
  return (target: LinkTarget) => void open(target).catch((error: unknown) => toastError(error))
}

const isOwn = (title: string, own: string) => withTitle([{ title: own }], title) !== undefined

/** Asks the server, because the note may have been created since the links were loaded. */
async function findByTitle(vaultId: string, title: string) {
  const { notes } = await call('suggest-notes', { vaultId, q: title, limit: 20 })
  return withTitle(notes, title)
}

/** Longer texts aren't searched for tags, because that happens on each keystroke. Their tags can be edited by hand. */
const maxTaggedLength = 50_000

/** Adds and removes the note's tags as they appear in or disappear from its text. Ignores the tag being typed. */
function useTextTags({ draft, body }: Pick<Props, 'draft' | 'body'>) {
  const known = useRef<readonly string[]>(undefined)
  return (changed: string, place: number) => {
    const { mine } = draft.snapshot
    known.current ??= listTextTags(body)
    const found = changed.length > maxTaggedLength ? known.current : listTextTags(changed, place)
    const tags = followTags(mine.tags, known.current, found)
    known.current = found
    draft.changeBody(changed, tags.join('\n') === mine.tags.join('\n') ? mine.tags : tags)
  }
}

function Gone({ vaultId, snapshot: { mine }, onOpen }: Props) {
  const client = useQueryClient()
  const add = useAction('create-note', {
    onDone({ noteId }) {
      void refreshNotes(client)
      onOpen(noteId)
    },
  })
  return (
    <Alert color="red" variant="light" icon={<CircleAlert size={16} aria-hidden />} mb="md" role="alert">
      <Group justify="space-between" gap="sm">
        <Text>This note was deleted while you were editing. Your text is still here.</Text>
        <Button
          size="compact-sm"
          variant="default"
          loading={add.isPending}
          onClick={() =>
            add.mutate(
              { vaultId, title: mine.title, content: mine.content, tags: [...mine.tags] },
              { onError: (error) => toastError(error) },
            )
          }
        >
          Save as new note
        </Button>
      </Group>
    </Alert>
  )
}
