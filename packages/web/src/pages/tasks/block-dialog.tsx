import type { Task } from '@holdfast/client/dashboard'
import { TextDialog } from '../../components/forms/text-dialog.tsx'
import { countOf } from '../../components/text/time-text.ts'

interface Props {
  tasks: readonly Task[]
  onBlock: (reason: string) => void
  onClose: () => void
}

const maxReasonChars = 10_000

/** Asks what a task is waiting for before it is blocked. */
export const BlockDialog = ({ tasks, onBlock, onClose }: Props) => (
  <TextDialog
    title={tasks.length === 1 ? 'Why is this task blocked?' : `Why are these ${countOf(tasks.length, 'task')} blocked?`}
    label="Waiting for"
    description="Shown on the task until it is unblocked."
    {...(tasks.length === 1 && { initial: tasks[0]?.blockedReason ?? '' })}
    maxChars={maxReasonChars}
    action="Block"
    returnFocus={false}
    onDone={onBlock}
    onClose={onClose}
  />
)
