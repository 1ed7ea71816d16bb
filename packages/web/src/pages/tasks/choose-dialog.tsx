import type { Task } from '@holdfast/client/dashboard'
import { Modal, Stack, UnstyledButton } from '@mantine/core'
import { Check, UserRound, UserRoundX } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { countOf } from '../../components/text/time-text.ts'
import { PriorityIcon, priorities, titleOfPriority } from '../../components/records/priority-mark.tsx'
import { AssigneeChoice } from './assignee-choice.tsx'
import classes from './choose-dialog.module.css'
import type { TaskActions } from './task-actions.tsx'
import { StatusIcon, statuses, titleOfStatus } from './task-looks.tsx'

export type Choice = 'state' | 'priority' | 'assignee'

interface Props {
  vaultId: string
  what: Choice
  tasks: readonly Task[]
  actions: TaskActions
  onClose: () => void
}

const titles: Readonly<Record<Choice, string>> = {
  state: 'Move to',
  priority: 'Priority',
  assignee: 'Assign to',
}

/** Chooses a state, priority or assignee for one or more tasks. Digits select an option. */
export function ChooseDialog({ vaultId, what, tasks, actions, onClose }: Props) {
  const task = tasks.length === 1 ? tasks[0] : undefined
  // Close first, since moving to `blocked` opens another dialog.
  const choose = (act: () => void) => {
    onClose()
    act()
  }
  return (
    <Modal opened onClose={onClose} title={titles[what]} size="sm" returnFocus={false}>
      <p className={classes.about}>{task === undefined ? countOf(tasks.length, 'task') : task.title}</p>
      {what === 'state' && (
        <Options
          current={task?.status}
          options={statuses.map((value) => ({
            value,
            label: titleOfStatus(value),
            icon: <StatusIcon status={value} />,
          }))}
          onChoose={(status) => choose(() => actions.move(tasks, status))}
        />
      )}
      {what === 'priority' && (
        <Options
          current={task?.priority}
          options={priorities.map((value) => ({
            value,
            label: titleOfPriority(value),
            icon: <PriorityIcon priority={value} />,
            digit: value,
          }))}
          onChoose={(priority) => choose(() => actions.prioritise(tasks, priority))}
        />
      )}
      {what === 'assignee' && (
        <>
          <Options
            current={
              task?.assignedAgentId === null ? 'unassigned' : task?.assignedAgentId === 'user' ? 'user' : undefined
            }
            options={[
              { value: 'unassigned', label: 'Unassigned', icon: <UserRoundX size={15} aria-hidden /> },
              { value: 'user', label: 'You', icon: <UserRound size={15} aria-hidden /> },
            ]}
            onChoose={(value) => choose(() => actions.assign(tasks, value === 'user' ? 'user' : null))}
          />
          <AssigneeChoice
            vaultId={vaultId}
            value={task?.assignedAgentId ?? ''}
            onChoose={(name) => choose(() => actions.assign(tasks, name))}
          />
        </>
      )}
    </Modal>
  )
}

interface Option<Value> {
  value: Value
  label: string
  icon: ReactNode
  /** Default: its position in the list. */
  digit?: number
}

interface OptionsProps<Value> {
  current: Value | undefined
  options: readonly Option<Value>[]
  onChoose: (value: Value) => void
}

function Options<Value extends string | number>({ current, options, onChoose }: OptionsProps<Value>) {
  const numbered = options.map((option, at) => ({ ...option, digit: option.digit ?? at + 1 }))
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const chosen = numbered.find(({ digit }) => String(digit) === event.key)
    if (chosen !== undefined) onChoose(chosen.value)
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const sibling = event.key === 'ArrowDown' ? 'nextElementSibling' : 'previousElementSibling'
      const next = document.activeElement?.[sibling]
      if (next instanceof HTMLElement) next.focus()
    }
  }
  return (
    <Stack gap={2} role="group" aria-label="Choices" onKeyDown={onKeyDown}>
      {numbered.map(({ value, label, icon, digit }, at) => (
        <UnstyledButton
          key={value}
          className={classes.option}
          aria-pressed={value === current}
          onClick={() => onChoose(value)}
          {...((value === current || (current === undefined && at === 0)) && { 'data-autofocus': true })}
        >
          {icon}
          <span className={classes.label}>{label}</span>
          {value === current && <Check size={15} aria-hidden />}
          <kbd>{digit}</kbd>
        </UnstyledButton>
      ))}
    </Stack>
  )
}
