import type { Task } from '@holdfast/client/dashboard'
import { createContext, use, useState, type ReactNode } from 'react'
import { nameOfAgent } from '../../components/records/agent-names.ts'
import { titleOfPriority } from '../../components/records/priority-mark.tsx'
import { BlockDialog } from './block-dialog.tsx'
import { ChooseDialog, type Choice } from './choose-dialog.tsx'
import { TaskForm } from './task-form.tsx'
import { titleOfStatus, type TaskStatus } from './task-looks.tsx'
import { useTaskActions } from './use-task-actions.ts'

/** What cards, rows, keys and the panel do with tasks: the same deeds, with the dialogs that some of them ask by. */
export interface TaskDeeds {
  isBusy: boolean
  /** Into `blocked` only once somebody has said what they wait for. */
  move(tasks: readonly Task[], status: TaskStatus): void
  prioritise(tasks: readonly Task[], priority: number): void
  /** Null: nobody. */
  assign(tasks: readonly Task[], agentId: string | null): void
  /** Asks which state, priority or assignee they are to have. */
  ask(what: Choice, tasks: readonly Task[]): void
  edit(task: Task): void
  archive(ids: readonly string[]): void
  restore(ids: readonly string[]): void
}

const DeedsContext = createContext<TaskDeeds | undefined>(undefined)

export function useTaskDeeds(): TaskDeeds {
  const deeds = use(DeedsContext)
  if (deeds === undefined) throw new Error('Used outside of the tasks')
  return deeds
}

type Asked = { what: Choice | 'blocked' | 'edit'; tasks: readonly Task[] }

export function TaskDeedsProvider({ vaultId, children }: { vaultId: string; children: ReactNode }) {
  const { edit, archive, restore, isBusy } = useTaskActions(vaultId)
  const [asked, setAsked] = useState<Asked>()
  const close = () => {
    setAsked(undefined)
    focusLater(asked?.tasks[0]?.taskId)
  }
  const deeds: TaskDeeds = {
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
        assignedAgentId === null ? 'assigned to nobody' : `assigned to ${nameOfAgent(assignedAgentId)}`,
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
    // oxlint-disable-next-line react/jsx-no-constructed-context-values -- what uses them is drawn anew with the lists anyway
    <DeedsContext value={deeds}>
      {children}
      {asked?.what === 'blocked' && <BlockDialog tasks={asked.tasks} onBlock={block} onClose={close} />}
      {asked?.what === 'edit' && <TaskForm isOpen onClose={close} vaultId={vaultId} task={asked.tasks[0]} />}
      {asked !== undefined && asked.what !== 'blocked' && asked.what !== 'edit' && (
        <ChooseDialog vaultId={vaultId} what={asked.what} tasks={asked.tasks} deeds={deeds} onClose={close} />
      )}
    </DeedsContext>
  )
}

const settleMs = 60

/** The card that had the focus may by now stand in another column, as another element. */
function focusLater(taskId: string | undefined): void {
  setTimeout(() => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>(`[data-row="${taskId}"]`)?.focus()
  }, settleMs)
}
