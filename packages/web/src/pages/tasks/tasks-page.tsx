import type { Task } from '@holdfast/client/dashboard'
import { Button, Text } from '@mantine/core'
import { ListTodo, Plus } from 'lucide-react'
import { useOperation, usePage } from '../../api/queries.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { InVault, Page } from '../../components/frame/page.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { NewRows, useSteadyRows } from '../../components/lists/steady-rows.tsx'
import { LeftOut } from '../../components/lists/left-out.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { useShortcut } from '../../shell/shortcuts.ts'
import { useUrlState, type Changes } from '../../shell/url-state.ts'
import { TaskBulkBar } from './bulk-bar.tsx'
import { TaskBoard, tasksOf, useColumns } from './task-board.tsx'
import { TaskActionsProvider, useTaskActions } from './task-actions.tsx'
import { TaskDetail } from './task-detail.tsx'
import { inputOf, isList, listInputOf, type TaskFilter, taskUrl, isFiltered } from './task-filter.ts'
import { TaskFilters } from './task-filters.tsx'
import { TaskForm } from './task-form.tsx'
import { statuses } from './task-looks.tsx'
import { TaskTable } from './task-table.tsx'
import { NoMatches, RecordDrawer, useOpenRecord, useSelectableRows } from '../../components/lists/record-list.tsx'
import { holdfast } from '../../command-line.ts'

export function TasksPage() {
  const [filter, setFilter] = useUrlState(taskUrl)
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
  setFilter: (changes: Changes<TaskFilter>) => void
}

function Tasks({ vaultId, filter, setFilter }: Props) {
  const { openId, open, close } = useOpenRecord('/tasks', 'taskId')
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
      <RecordDrawer title="Task" openId={openId} onClose={close}>
        {(id) => <TaskDetail key={id} vaultId={vaultId} id={id} onGone={close} />}
      </RecordDrawer>
    </>
  )
}

type ShownProps = Props & { onOpen: (id: string) => void }

function Board({ vaultId, filter, setFilter, onOpen }: ShownProps) {
  const columns = useColumns(inputOf(filter, vaultId))
  const tasks = columns.flatMap(tasksOf)
  const { selection, selected, current, setCurrent } = useTaskKeys(tasks)
  const isEmpty = columns.every(({ query }) => query.data?.pages[0]?.total === 0)
  if (isEmpty) return <EmptyTasks vaultId={vaultId} filter={filter} setFilter={setFilter} />
  return (
    <>
      <LeftOut pages={columns.flatMap(({ query }) => query.data?.pages ?? [])} />
      <TaskBoard
        columns={columns}
        selection={selection}
        current={current}
        onOpen={onOpen}
        onFocus={setCurrent}
        onAdd={(into) => setFilter({ new: true, into })}
      />
      {selected.length > 0 && <TaskBulkBar tasks={selected} onClear={selection.clear} />}
    </>
  )
}

const none: readonly Task[] = []

function TaskList({ vaultId, filter, setFilter, onOpen }: ShownProps) {
  const input = listInputOf(filter, vaultId)
  const query = usePage('list-tasks', input)
  const name = query.data === undefined || query.isPlaceholderData ? undefined : JSON.stringify(input)
  const { rows, newCount, showNew } = useSteadyRows(query.data?.tasks ?? none, { idOf: ({ taskId }) => taskId, name })
  const { selection, selected, setCurrent } = useTaskKeys(rows)
  return (
    <Loaded query={query}>
      {(page) =>
        page.total === 0 ? (
          <EmptyTasks vaultId={vaultId} filter={filter} setFilter={setFilter} />
        ) : (
          <>
            <LeftOut pages={[page]} />
            <NewRows count={newCount} onShow={showNew} />
            <TaskTable tasks={rows} selection={selection} onOpen={onOpen} onFocus={setCurrent} />
            <Pager page={page} onOffset={(offset) => setFilter({ offset })} />
            {selected.length > 0 && <TaskBulkBar tasks={selected} onClear={selection.clear} />}
          </>
        )
      }
    </Loaded>
  )
}

/** The selection, and shortcuts that act on it, or on the focused task if nothing is selected. */
function useTaskKeys(tasks: readonly Task[]) {
  const actions = useTaskActions()
  const edit = (id: string) => {
    const task = tasks.find(({ taskId }) => taskId === id)
    if (task !== undefined) actions.edit(task)
  }
  const rows = useSelectableRows(tasks, ({ taskId }) => taskId, { edit, archive: (id) => actions.archive([id]) })
  const { selected, current } = rows
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
  return rows
}

function EmptyTasks({ vaultId, filter, setFilter }: Props) {
  const { data } = useOperation('count-tasks', { vaultId, state: filter.state })
  if (isFiltered(filter)) return <NoMatches what="tasks" onClear={() => setFilter(taskUrl.noFilter)} />
  if (filter.state === 'archived') return <Text c="dimmed">No archived tasks.</Text>
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
      command={holdfast('remember --type task "Water the ferns"')}
    >
      No tasks yet. Agents create them as they work, or you can add one.
    </EmptyState>
  )
}
