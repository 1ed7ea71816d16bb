import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { countOf } from '../../components/text/time-text.ts'
import { toastError } from '../../shell/toasts.tsx'
import type { NoteDraft } from './note-draft.ts'
import classes from './note-view.module.css'
import type { OpenNoteProps } from './open-note.ts'

interface Renaming {
  title: string
  /** How many notes link here by the title, and whether there may be more. */
  linking: number
  hasMore: boolean
}

const maxCounted = 100

interface Props extends Pick<OpenNoteProps, 'vaultId' | 'note'> {
  draft: NoteDraft
  /** As it is now. */
  title: string
  isTrashed: boolean
  /** From the title into the text. */
  onDown: () => void
}

/** The title, which is renamed as a whole. Where others link to it, somebody is asked what becomes of that. */
export function TitleInput({ vaultId, note, draft, title, isTrashed, onDown }: Props) {
  const [typed, setTyped] = useState(title)
  const [renaming, setRenaming] = useState<Renaming>()
  const [seen, setSeen] = useState(title)
  // Renamed by somebody else, or by the server.
  if (title !== seen) {
    setSeen(title)
    setTyped(title)
  }
  const commit = async () => {
    const next = typed.replace(/\s+/g, ' ').trim()
    if (next === '' || next === title) return setTyped(title)
    try {
      const { backlinks, hasMore } = await call('read-backlinks', { vaultId, id: note.noteId, limit: maxCounted })
      const linking = backlinks.filter(({ origin }) => origin === 'wiki').length
      if (linking === 0 && !hasMore) return void draft.rename(next, true)
      setRenaming({ title: next, linking, hasMore })
    } catch (error) {
      // Then it is what a rename usually is, and kept until it can be saved.
      toastError(error, 'Who links here is not known; links will follow the new title')
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
        readOnly={isTrashed}
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
      <Modal opened={renaming !== undefined} onClose={cancel} title="Rename the note">
        {renaming !== undefined && (
          <Stack>
            <Text>
              {countOf(renaming.linking, 'note')}
              {renaming.hasMore && ' or more'} {renaming.linking === 1 ? 'links' : 'link'} to “{title}”. Shall{' '}
              {renaming.linking === 1 ? 'it' : 'they'} link to “{renaming.title}” from now on? Otherwise those links
              lead nowhere.
            </Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={cancel}>
                Cancel
              </Button>
              <Button variant="default" onClick={() => choose(false)}>
                Only rename
              </Button>
              <Button onClick={() => choose(true)} data-autofocus>
                Rename and change the links
              </Button>
            </Group>
          </Stack>
        )}
      </Modal>
    </>
  )
}
