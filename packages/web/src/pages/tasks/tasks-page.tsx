import type { Task } from '@holdfast/client/dashboard'
import { Button, Drawer, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate, useParams } from '@tanstack/react-router'
import { ListTodo, Plus, SearchX } from 'lucide-react'
import { useCallback } from 'react'
import { useOperation, usePage } from '../../api/queries.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { InVault, Page } from '../../components/frame/page.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { NewRows, useSteadyRows } from '../../components/lists/steady-rows.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { useRowKeys } from '../../components/lists/use-row-keys.ts'
import { useSelection, type Selection } from '../../components/lists/selection.tsx'
import { useShortcut } from '../../shell/shortcuts.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { BulkBar } from './bulk-bar.tsx'
import { TaskBoard, tasksOf, useColumns } from './task-board.tsx'
import { TaskActionsProvider, useTaskActions } from './task-actions.tsx'
import { TaskDetail } from './task-detail.tsx'
import {
  inputOf,
  isList,
  isNarrowed,
  listInputOf,
  shown,
  stateOf,
  withoutFilter,
  type TaskFilter,
} from './task-filter.ts'
import { TaskFilters } from './task-filters.tsx'
import { TaskForm } from './task-form.tsx'
import { statuses } from './task-looks.tsx'
import { TaskTable } from './task-table.tsx'

export function TasksPage() {
  const [filter, setFilter] = useUrlState(shown)
  const openNew = () => setFilter({ new: true, into: '' })
  useShortcut('c', 'New task', openNew)
  return (
    <Page
      title="Tasks"
      lead="Work for you and your agents. Agents claim a task before they work on it, so no task is done twice."
      actions={
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={openNew}>
          New task
        </Button>
      }
    >
      <InVault>
        {({ id }) => (
          <TaskActionsProvider vaultId={id}>
            <Tasks vaultId={id} filter={filter} setFilter={setFilter} />
          </TaskActionsProvider>
        )}
      </InVault>
    </Page>
  )
}

interface Props {
  vaultId: string
  filter: TaskFilter
  setFilter: (changes: Partial<TaskFilter>) => void
}

function Tasks({ vaultId, filter, setFilter }: Props) {
  const { taskId }: { taskId?: string } = useParams({ strict: false })
  const navigate = useNavigate()
  const isNarrow = useMediaQuery('(max-width: 767px)')
  const open = useCallback((id: string) => void navigate({ to: `/tasks/${id}`, search: true }), [navigate])
  const close = () => void navigate({ to: '/tasks', search: true })
  const Shown = isList(filter) ? TaskList : Board
  return (
    <>
      <TaskFilters vaultId={vaultId} filter={filter} setFilter={setFilter} />
      <Shown vaultId={vaultId} filter={filter} setFilter={setFilter} onOpen={open} />
      <TaskForm
        isOpen={filter.new}
        onClose={() => setFilter({ new: false, into: '' })}
        vaultId={vaultId}
        into={statuses.find((status) => status === filter.into)}
      />
      <Drawer
        opened={taskId !== undefined}
        onClose={close}
        position="right"
        size={isNarrow ? '100%' : 620}
        title="Task"
      >
        {taskId !== undefined && <TaskDetail key={taskId} vaultId={vaultId} id={taskId} onGone={close} />}
      </Drawer>
    </>
  )
}

type ShownProps = Props & { onOpen: (id: string) => void }

function Board({ vaultId, filter, setFilter, onOpen }: ShownProps) {
  const columns = useColumns(inputOf(filter, vaultId))
  const tasks = columns.flatMap(tasksOf)
  const { selection, selected, current, setCurrent } = useKeys(tasks)
  const isEmpty = columns.every(({ query }) => query.data?.pages[0]?.total === 0)
  if (isEmpty) return <EmptyTasks vaultId={vaultId} filter={filter} setFilter={setFilter} />
  return (
    <>
      <TaskBoard
        columns={columns}
        selection={selection}
        current={current}
        onOpen={onOpen}
        onFocus={setCurrent}
        onAdd={(into) => setFilter({ new: true, into })}
      />
      {selected.length > 0 && <BulkBar tasks={selected} onClear={selection.clear} />}
    </>
  )
}

const none: readonly Task[] = []

function TaskList({ vaultId, filter, setFilter, onOpen }: ShownProps) {
  const input = listInputOf(filter, vaultId)
  const query = usePage('list-tasks', input)
  const name = query.data === undefined || query.isPlaceholderData ? undefined : JSON.stringify(input)
  const { rows, newCount, showNew } = useSteadyRows(query.data?.tasks ?? none, { idOf: ({ taskId }) => taskId, name })
  const { selection, selected, setCurrent } = useKeys(rows)
  return (
    <Loaded query={query}>
      {(page) =>
        page.total === 0 ? (
          <EmptyTasks vaultId={vaultId} filter={filter} setFilter={setFilter} />
        ) : (
          <>
            <NewRows count={newCount} onShow={showNew} />
            <TaskTable tasks={rows} selection={selection} onOpen={onOpen} onFocus={setCurrent} />
            <Pager page={page} onOffset={(offset) => setFilter({ offset })} />
            {selected.length > 0 && <BulkBar tasks={selected} onClear={selection.clear} />}
          </>
        )
      }
    </Loaded>
  )
}

interface Keys {
  selection: Selection
  selected: readonly Task[]
  current: string | undefined
  setCurrent: (id: string) => void
}

/** The selection, and shortcuts that act on it, or on the focused task if nothing is selected. */
function useKeys(tasks: readonly Task[]): Keys {
  const actions = useTaskActions()
  const ids = tasks.map(({ taskId }) => taskId)
  const selection = useSelection(ids)
  const selected = tasks.filter(({ taskId }) => selection.ids.includes(taskId))
  const edit = (id: string) => {
    const task = tasks.find(({ taskId }) => taskId === id)
    if (task !== undefined) actions.edit(task)
  }
  const archive = (id: string) => actions.archive([id])
  const { current, setCurrent } = useRowKeys(ids, { toggle: selection.toggle, edit, archive })
  const targets = selected.length > 0 ? selected : tasks.filter(({ taskId }) => taskId === current)
  const onTargets = (act: (tasks: readonly Task[]) => void) => () => {
    if (targets.length > 0) act(targets)
  }
  useShortcut(
    's',
    'Change state',
    onTargets((chosen) => actions.ask('state', chosen)),
  )
  useShortcut(
    'p',
    'Set priority',
    onTargets((chosen) => actions.ask('priority', chosen)),
  )
  useShortcut(
    'a',
    'Assign',
    onTargets((chosen) => actions.ask('assignee', chosen)),
  )
  useShortcut('Escape', 'Clear the selection', selection.clear)
  return { selection, selected, current, setCurrent }
}

function EmptyTasks({ vaultId, filter, setFilter }: Props) {
  const { data } = useOperation('count-tasks', { vaultId, state: stateOf(filter) })
  if (isNarrowed(filter))
    return (
      <EmptyState
        icon={SearchX}
        action={
          <Button variant="default" onClick={() => setFilter(withoutFilter)}>
            Clear the filter
          </Button>
        }
      >
        No tasks match this filter.
      </EmptyState>
    )
  if (stateOf(filter) === 'archived') return <Text c="dimmed">No archived tasks.</Text>
  if (data !== undefined && data.states.archived > 0)
    return (
      <EmptyState
        icon={ListTodo}
        action={
          <Button variant="default" onClick={() => setFilter({ state: 'archived' })}>
            Show archived tasks
          </Button>
        }
      >
        No live tasks.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={ListTodo}
      action={<Button onClick={() => setFilter({ new: true })}>New task</Button>}
      command='npm run -s holdfast -- remember --type task "Water the ferns"'
    >
      No tasks yet. Agents create them as they work, or you can add one.
    </EmptyState>
  )
}
