import { Button, Modal, Stack, Text } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { addTextKeeper } from '../../shell/session.ts'
import { DialogButtons } from '../feedback/dialog-buttons.tsx'

/** Asks before leaving a page with unsaved text: by following a link, going back, reloading, signing out or opening another vault. */
export function useLeaveQuestion(isUnsaved: () => boolean, isLeaving: (from: Place, to: Place) => boolean) {
  const { history, options } = useRouter()
  const [answer, setAnswer] = useState<(isStaying: boolean) => void>()
  useEffect(
    // The router’s own hook compares places inside the router, where all vaults have the same path.
    () => {
      const placeOf = ({ pathname, search }: Address) => ({ pathname, search: options.parseSearch(search) })
      return history.block({
        enableBeforeUnload: isUnsaved,
        async blockerFn({ currentLocation, nextLocation }: { currentLocation: Address; nextLocation: Address }) {
          if (!isUnsaved() || !isLeaving(placeOf(currentLocation), placeOf(nextLocation))) return false
          const isStaying = await new Promise<boolean>((resolve) => setAnswer(() => resolve))
          setAnswer(undefined)
          return isStaying
        },
      })
    },
    [history, options, isUnsaved, isLeaving],
  )
  useEffect(() => addTextKeeper({ isUnsaved }), [isUnsaved])
  return { isAsking: answer !== undefined, stay: () => answer?.(true), leave: () => answer?.(false) }
}

interface Address {
  pathname: string
  search: string
}

export interface Place {
  /** Names the vault, too. */
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
  title?: string
  children?: string
}

export const UnsavedQuestion = ({
  isOpen,
  onStay,
  onLeave,
  title = 'Leave without saving?',
  children = 'Your changes aren’t saved yet.',
}: QuestionProps) => (
  <Modal opened={isOpen} onClose={onStay} title={title} zIndex={400}>
    <Stack>
      <Text>{children}</Text>
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
