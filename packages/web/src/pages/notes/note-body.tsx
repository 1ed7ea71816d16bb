import { Alert, Button, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleAlert, Trash2 } from 'lucide-react'
import { useMemo, useRef, type RefObject } from 'react'
import { call } from '../../api/call.ts'
import { useAction } from '../../api/queries.ts'
import { toastError } from '../../shell/toasts.tsx'
import { isReadable } from '../../components/text/is-readable.ts'
import type { LinkTarget } from './editor/link-at.ts'
import { NoteEditor, type EditorHandle } from './editor/note-editor.tsx'
import { followTags, listTextTags } from './editor/text-tags.ts'
import { withTitle } from './editor/wiki-target.ts'
import { NoteConflict } from './note-conflict.tsx'
import type { DraftSnapshot, NoteDraft } from './note-draft.ts'
import { refreshNotes, useNoteActions } from './use-note-actions.ts'
import type { OpenNoteProps } from './open-note.ts'

interface Props extends OpenNoteProps {
  draft: NoteDraft
  snapshot: DraftSnapshot
  editor: RefObject<EditorHandle | null>
  onLeave: () => void
}

/** The editor, with notices about the state of the note. */
export function NoteBody(props: Props) {
  const { vaultId, id, note, links, unresolvedLinks, draft, snapshot, editor, onLeave, onOpen, setFilter } = props
  const { mine, state } = snapshot
  const isTrashed = note.status === 'trashed'
  const { recover, isBusy } = useNoteActions(vaultId)
  const change = useTextTags(props)
  const navigate = useNavigate()
  const isRead = useMemo(() => isReadable(mine.content), [mine.content])
  if (state.kind === 'conflict') return <NoteConflict vaultId={vaultId} id={id} draft={draft} snapshot={snapshot} />
  const open = async (target: LinkTarget) => {
    if (target.kind === 'page') return void window.open(target.href, '_blank', 'noopener,noreferrer')
    if (target.kind === 'memory') return void navigate({ to: `/memories/${target.id}` })
    if (target.kind === 'tag') return setFilter({ tag: target.tag, folder: '', state: 'live', q: '', offset: 0 })
    const { title, heading = '' } = target
    const known = withTitle(links, title) ?? (await findByTitle(vaultId, title))
    if (known !== undefined) onOpen(known.noteId, { heading })
    else if (!isOwn(title, mine.title)) setFilter({ new: true, title })
  }
  return (
    <>
      {state.kind === 'gone' && <Gone {...props} />}
      {isTrashed && (
        <Alert color="yellow" variant="light" icon={<Trash2 size={16} aria-hidden />} mb="md">
          <Group justify="space-between" gap="sm">
            <Text>This note is in the trash. Searches don’t find it, and links don’t lead here.</Text>
            <Button size="compact-sm" variant="default" loading={isBusy} onClick={() => recover([id])}>
              Restore
            </Button>
          </Group>
        </Alert>
      )}
      {!isRead && (
        <Text size="sm" c="dimmed" mb="xs">
          This text is shown without Markdown formatting, because its lines or paragraphs are too long. Split them to
          get headings and tags.
        </Text>
      )}
      <NoteEditor
        vaultId={vaultId}
        content={mine.content}
        isReadOnly={isTrashed}
        missingTitles={unresolvedLinks}
        onChange={change}
        onBlur={(content) => change(content, -1)}
        onOpen={(target) => void open(target).catch((error: unknown) => toastError(error))}
        onSave={() => void draft.saveNow()}
        onLeave={onLeave}
        ref={editor}
      />
    </>
  )
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
function useTextTags({ draft, snapshot, editor }: Pick<Props, 'draft' | 'snapshot' | 'editor'>) {
  const known = useRef<readonly string[]>(undefined)
  return (content: string, place = editor.current?.place()) => {
    const { mine } = draft.snapshot
    known.current ??= listTextTags(snapshot.mine.content)
    const found = content.length > maxTaggedLength ? known.current : listTextTags(content, place)
    const tags = followTags(mine.tags, known.current, found)
    known.current = found
    draft.change({ content, tags: tags.join('\n') === mine.tags.join('\n') ? mine.tags : tags })
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
