import { Button, Group, Modal, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'

interface Props {
  onSend: (note: string) => void
  onClose: () => void
}

const maxNoteChars = 2000

/** What came of a message, for its sender. */
export function NoteDialog({ onSend, onClose }: Props) {
  const [note, setNote] = useState('')
  return (
    <Modal opened onClose={onClose} title="Acknowledge with a note">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (note.trim() !== '') onSend(note.trim())
        }}
      >
        <Stack>
          <Textarea
            label="Note"
            description="The sender sees it with the acknowledgement."
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
            maxLength={maxNoteChars}
            autosize
            minRows={2}
            maxRows={8}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={note.trim() === ''}>
              Acknowledge
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
