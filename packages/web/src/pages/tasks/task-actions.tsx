import type { Task } from '@holdfast/client/dashboard'
import { createContext, use, useState, type ReactNode } from 'react'
import { nameOfAgent } from '../../components/records/agent-names.ts'
import { titleOfPriority } from '../../components/records/priority-mark.tsx'
import { BlockDialog } from './block-dialog.tsx'
import { ChooseDialog, type Choice } from './choose-dialog.tsx'
import { TaskForm } from './task-form.tsx'
import { titleOfStatus, type TaskStatus } from './task-looks.tsx'
import { useTaskMutations } from './use-task-mutations.ts'

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

type Asked = { what: Choice | 'blocked' | 'edit'; tasks: readonly Task[] }

export function TaskActionsProvider({ vaultId, children }: { vaultId: string; children: ReactNode }) {
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
    edit: (task) => setAsked({ what: 'edit', tasks: [task] }),
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
      {asked?.what === 'edit' && <TaskForm isOpen onClose={close} vaultId={vaultId} task={asked.tasks[0]} />}
      {asked !== undefined && asked.what !== 'blocked' && asked.what !== 'edit' && (
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
