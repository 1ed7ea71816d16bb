import { Button, Modal, Stack, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { call } from '../../api/call.ts'
import { countOf } from '../../components/text/time-text.ts'
import { toastError } from '../../shell/toasts.tsx'
import { findNewTitle } from './find-new-title.ts'
import type { NoteDraft } from './note-draft.ts'
import classes from './note-view.module.css'
import type { OpenNoteProps } from './open-note.ts'

interface Renaming {
  title: string
  /** The number of notes that link here by title, and whether there may be more. */
  linking: number
  hasMore: boolean
}

const maxCounted = 100

interface Props extends Pick<OpenNoteProps, 'vaultId' | 'note'> {
  draft: NoteDraft
  title: string
  /** It can only be read. */
  isFixed: boolean
  /** Moves the focus from the title to the text. */
  onDown: () => void
}

/** The title field. It is saved on leaving. If other notes link to the title, asks whether to update their links. */
export function TitleInput({ vaultId, note, draft, title, isFixed, onDown }: Props) {
  const [typed, setTyped] = useState(title)
  const [renaming, setRenaming] = useState<Renaming>()
  const [seen, setSeen] = useState(title)
  // The title changed elsewhere.
  if (title !== seen) {
    setSeen(title)
    setTyped(title)
  }
  const next = isFixed ? undefined : findNewTitle(typed, title)
  useTypedTitle(next, (typedTitle) => void draft.rename(typedTitle, true))
  const commit = async () => {
    if (next === undefined) return setTyped(title)
    try {
      const { backlinks, hasMore } = await call('read-backlinks', { vaultId, id: note.noteId, limit: maxCounted })
      const linking = backlinks.filter(({ origin }) => origin === 'wiki').length
      if (linking === 0 && !hasMore) return void draft.rename(next, true)
      setRenaming({ title: next, linking, hasMore })
    } catch (error) {
      // Rename and update the links, which is the default. The draft retries until it is saved.
      toastError(error, 'Couldn’t check which notes link here. Their links are updated anyway')
      void draft.rename(next, true)
    }
  }
  const choose = (rewriteLinks: boolean) => {
    if (renaming !== undefined) void draft.rename(renaming.title, rewriteLinks)
    setRenaming(undefined)
  }
  const cancel = () => {
    setRenaming(undefined)
    setTyped(title)
  }
  return (
    <>
      <textarea
        className={classes.title}
        aria-label="Title"
        rows={1}
        maxLength={500}
        readOnly={isFixed}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value.replaceAll('\n', ' '))}
        onBlur={() => void commit()}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            setTyped(title)
            event.stopPropagation()
          }
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          onDown()
        }}
      />
      <Modal opened={renaming !== undefined} onClose={cancel} title="Rename note">
        {renaming !== undefined && (
          <Stack>
            <Text>
              {countOf(renaming.linking, 'note')}
              {renaming.hasMore && ' or more'} {renaming.linking === 1 ? 'links' : 'link'} to “{title}”. Update the
              links to “{renaming.title}”? Otherwise they will be broken.
            </Text>
            <DialogButtons onCancel={cancel}>
              <Button variant="default" onClick={() => choose(false)}>
                Rename only
              </Button>
              <Button onClick={() => choose(true)} data-autofocus>
                Rename and update links
              </Button>
            </DialogButtons>
          </Stack>
        )}
      </Modal>
    </>
  )
}

/** A title that is still being typed is kept when the person leaves by the browser's Back, and asked about before a reload. */
function useTypedTitle(next: string | undefined, rename: (title: string) => void): void {
  const onLeave = useEffectEvent(() => {
    if (next !== undefined) rename(next)
  })
  const isChanged = next !== undefined
  useEffect(() => () => onLeave(), [])
  useEffect(() => {
    if (!isChanged) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isChanged])
}
