import type { Task } from '@holdfast/client/dashboard'
import { TextDialog } from '../../components/forms/text-dialog.tsx'
import { countOf } from '../../components/text/time-text.ts'

interface Props {
  tasks: readonly Task[]
  onBlock: (reason: string) => void
  onClose: () => void
}

const maxReasonChars = 10_000

/** A blocked task says what it waits for, so that whoever finds it knows what to do. */
export const BlockDialog = ({ tasks, onBlock, onClose }: Props) => (
  <TextDialog
    title={tasks.length === 1 ? 'What does it wait for?' : `What do the ${countOf(tasks.length, 'task')} wait for?`}
    label="Waits for"
    description="Shown with the task until it is no longer blocked."
    {...(tasks.length === 1 && { initial: tasks[0]?.blockedReason ?? '' })}
    maxChars={maxReasonChars}
    action="Block"
    returnFocus={false}
    onDone={onBlock}
    onClose={onClose}
  />
)
