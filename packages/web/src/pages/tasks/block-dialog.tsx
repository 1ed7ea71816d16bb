import type { Task } from '@holdfast/client/dashboard'
import { Button, Group, Modal, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { countOf } from '../../components/time-text.ts'

interface Props {
  tasks: readonly Task[]
  onBlock: (reason: string) => void
  onClose: () => void
}

const maxReasonChars = 10_000

/** A blocked task says what it waits for, so that whoever finds it knows what to do. */
export function BlockDialog({ tasks, onBlock, onClose }: Props) {
  const [reason, setReason] = useState(tasks.length === 1 ? (tasks[0]?.blockedReason ?? '') : '')
  const title = tasks.length === 1 ? 'What does it wait for?' : `What do the ${countOf(tasks.length, 'task')} wait for?`
  return (
    <Modal opened onClose={onClose} title={title} returnFocus={false}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (reason.trim() !== '') onBlock(reason.trim())
        }}
      >
        <Stack>
          <Textarea
            label="Waits for"
            description="Shown with the task until it is no longer blocked."
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            maxLength={maxReasonChars}
            autosize
            minRows={2}
            maxRows={8}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={reason.trim() === ''}>
              Block
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
