import type { Task } from '@holdfast/client/dashboard'
import { createContext, use, useState, type ReactNode, type KeyboardEvent } from 'react'
import { nameOfAgent } from '../../components/records/agent-names.ts'
import { titleOfPriority, PriorityIcon, priorities } from '../../components/records/priority-mark.tsx'
import { titleOfStatus, type TaskStatus, StatusIcon, statuses } from './task-looks.tsx'
import { useTaskMutations } from './use-task-mutations.ts'
import { Modal, Stack, UnstyledButton } from '@mantine/core'
import { Check, UserRound, UserRoundX } from 'lucide-react'
import { countOf } from '../../components/text/time-text.ts'
import { AssigneeChoice } from './assignee-choice.tsx'
import classes from './choose-dialog.module.css'
import { TextDialog } from '../../components/forms/text-dialog.tsx'

/** Actions on tasks, shared by cards, rows, shortcuts and the side panel, with the dialogs that some of them need. */
export interface TaskActions {
  isBusy: boolean
  /** Moving to `blocked` asks for a reason first. */
  move(tasks: readonly Task[], status: TaskStatus): void
  prioritise(tasks: readonly Task[], priority: number): void
  /** Null removes the assignee. */
  assign(tasks: readonly Task[], agentId: string | null): void
  /** Opens the dialog to choose a state, priority or assignee. */
  ask(what: Choice, tasks: readonly Task[]): void
  edit(task: Task): void
  archive(ids: readonly string[]): void
  restore(ids: readonly string[]): void
}

const ActionsContext = createContext<TaskActions | undefined>(undefined)

export function useTaskActions(): TaskActions {
  const actions = use(ActionsContext)
  if (actions === undefined) throw new Error('useTaskActions needs a TaskActionsProvider')
  return actions
}

type Asked = { what: Choice | 'blocked'; tasks: readonly Task[] }

interface ProviderProps {
  vaultId: string
  /** Opens the task's form. */
  onEdit: (id: string) => void
  children: ReactNode
}

export function TaskActionsProvider({ vaultId, onEdit, children }: ProviderProps) {
  const { edit, archive, restore, isBusy } = useTaskMutations(vaultId)
  const [asked, setAsked] = useState<Asked>()
  const close = () => {
    setAsked(undefined)
    focusLater(asked?.tasks[0]?.taskId)
  }
  const actions: TaskActions = {
    isBusy,
    move(tasks, status) {
      const others = tasks.filter((task) => task.status !== status)
      if (others.length === 0) return
      if (status === 'blocked') setAsked({ what: 'blocked', tasks: others })
      else edit(others, { status }, `moved to ${titleOfStatus(status)}`)
    },
    prioritise: (tasks, priority) => edit(tasks, { priority }, `priority ${titleOfPriority(priority)}`),
    assign: (tasks, assignedAgentId) =>
      edit(
        tasks,
        { assignedAgentId },
        assignedAgentId === null ? 'unassigned' : `assigned to ${nameOfAgent(assignedAgentId)}`,
      ),
    ask: (what, tasks) => setAsked({ what, tasks }),
    edit: ({ taskId }) => onEdit(taskId),
    archive,
    restore,
  }
  const block = (blockedReason: string) => {
    if (asked !== undefined) edit(asked.tasks, { status: 'blocked', blockedReason }, 'moved to Blocked')
    close()
  }
  return (
    // oxlint-disable-next-line react/jsx-no-constructed-context-values -- its users render again with the lists anyway
    <ActionsContext value={actions}>
      {children}
      {asked?.what === 'blocked' && <BlockDialog tasks={asked.tasks} onBlock={block} onClose={close} />}
      {asked !== undefined && asked.what !== 'blocked' && (
        <ChooseDialog vaultId={vaultId} what={asked.what} tasks={asked.tasks} actions={actions} onClose={close} />
      )}
    </ActionsContext>
  )
}

const settleMs = 60

/** Returns the focus to the task's card, which may now be a new element in another column. */
function focusLater(taskId: string | undefined): void {
  setTimeout(() => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>(`[data-row="${taskId}"]`)?.focus()
  }, settleMs)
}

type Choice = 'state' | 'priority' | 'assignee'

interface ChooseDialogProps {
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
function ChooseDialog({ vaultId, what, tasks, actions, onClose }: ChooseDialogProps) {
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

interface BlockDialogProps {
  tasks: readonly Task[]
  onBlock: (reason: string) => void
  onClose: () => void
}

const maxReasonChars = 10_000

/** Asks what a task is waiting for before it is blocked. */
const BlockDialog = ({ tasks, onBlock, onClose }: BlockDialogProps) => (
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
