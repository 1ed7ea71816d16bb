import { Button, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { addTextKeeper } from '../../shell/session.ts'

/** Asks before leaving a page with unsaved text. */
export function LeaveQuestion({ isDirty }: { isDirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  useEffect(() => (isDirty ? addTextKeeper({ isUnsaved: () => true }) : undefined), [isDirty])
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title="Leave without saving?">
      <Stack>
        <Text>Your changes aren’t saved yet.</Text>
        <DialogButtons>
          <Button variant="default" onClick={() => reset?.()}>
            Stay
          </Button>
          <Button color="red" onClick={() => proceed?.()}>
            Leave
          </Button>
        </DialogButtons>
      </Stack>
    </Modal>
  )
}
