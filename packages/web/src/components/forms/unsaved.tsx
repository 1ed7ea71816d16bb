import { Button, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { addTextKeeper } from '../../shell/session.ts'
import { DialogButtons } from '../feedback/dialog-buttons.tsx'

/** Asks before leaving a page with unsaved text: by following a link, going back, reloading or signing out. */
export function useLeaveQuestion(isUnsaved: () => boolean, isLeaving: (from: Place, to: Place) => boolean) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved() && isLeaving(current, next),
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  })
  useEffect(() => addTextKeeper({ isUnsaved }), [isUnsaved])
  return { isAsking: status === 'blocked', stay: () => reset?.(), leave: () => proceed?.() }
}

interface Place {
  pathname: string
  search: unknown
}

export const isOtherPath = (from: Place, to: Place): boolean => from.pathname !== to.pathname

/** The query may open a form, so a changed query leaves it. */
export const isOtherPlace = (from: Place, to: Place): boolean =>
  isOtherPath(from, to) || JSON.stringify(from.search) !== JSON.stringify(to.search)

interface QuestionProps {
  isOpen: boolean
  onStay: () => void
  onLeave: () => void
}

export const UnsavedQuestion = ({ isOpen, onStay, onLeave }: QuestionProps) => (
  <Modal opened={isOpen} onClose={onStay} title="Leave without saving?" zIndex={400}>
    <Stack>
      <Text>Your changes aren’t saved yet.</Text>
      <DialogButtons>
        <Button variant="default" onClick={onStay}>
          Stay
        </Button>
        <Button color="red" onClick={onLeave}>
          Leave
        </Button>
      </DialogButtons>
    </Stack>
  </Modal>
)
