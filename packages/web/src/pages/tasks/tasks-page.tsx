import type { Task } from '@holdfast/client/dashboard'
import { Button, Text } from '@mantine/core'
import { ListTodo } from 'lucide-react'
import { useOperation, usePage } from '../../api/queries.ts'
import { ConnectAgent, EmptyState } from '../../components/feedback/empty-state.tsx'
import { NewButton } from '../../components/frame/new-button.tsx'
import { InVault, Page } from '../../components/frame/page.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { NewRows, useSteadyRows } from '../../components/lists/steady-rows.tsx'
import { LeftOut } from '../../components/lists/left-out.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { useShortcut } from '../../shell/shortcuts.ts'
import { useVaults } from '../../shell/vault.ts'
import { useUrlState, type Changes } from '../../shell/url-state.ts'
import { TaskBulkBar } from './bulk-bar.tsx'
import { TaskBoard, tasksOf, useColumns } from './task-board.tsx'
import { TaskActionsProvider, useTaskActions } from './task-actions.tsx'
import { TaskDetail } from './task-detail.tsx'
import { inputOf, isList, isOnlyOpen, listInputOf, type TaskFilter, taskUrl, isFiltered } from './task-filter.ts'
import { TaskFilters } from './task-filters.tsx'
import { TaskForm } from './task-form.tsx'
import { statuses } from './task-looks.tsx'
import { taskLooks } from './task-list-looks.tsx'
import { RecordRows } from '../../components/lists/record-rows.tsx'
import { countOf } from '../../components/text/time-text.ts'
import { NoMatches, useSelectableRows } from '../../components/lists/record-list.tsx'
import { ListWithPanel } from '../../components/lists/record-panel.tsx'
import { useOpenRecord, type OpenRecord } from '../../components/lists/use-open-record.ts'
import { holdfast } from '../../command-line.ts'
import { useMay } from '../../shell/role.ts'
import { OnlyFor, ViewerNote } from '../../components/frame/only-for.tsx'

export function TasksPage() {
  const [filter, setFilter] = useUrlState(taskUrl)
  const record = useOpenRecord('/tasks', 'taskId')
  const isEmpty = useIsEmpty(filter)
  const openNew = () => setFilter({ new: true, into: '' })
  useShortcut(useMay('editor') ? 'c' : undefined, 'New task', openNew)
  return (
    <Page
      title="Tasks"
      lead="Work for you and your agents. Agents claim a task before they work on it, so no task is done twice."
      actions={
        <OnlyFor needs="editor">
          <NewButton isEmpty={isEmpty} onClick={openNew}>
            New task
          </NewButton>
        </OnlyFor>
      }
    >
      <ViewerNote />
      <InVault>
        {({ id }) => (
          <TaskActionsProvider vaultId={id} onEdit={record.edit}>
            <Tasks vaultId={id} filter={filter} setFilter={setFilter} record={record} />
          </TaskActionsProvider>
        )}
      </InVault>
    </Page>
  )
}

/** Whether the vault has no tasks at all, not even done or archived ones. */
function useIsEmpty(filter: TaskFilter): boolean {
  const { vault } = useVaults()
  const input = { vaultId: vault?.id ?? '', state: filter.state }
  const { data } = useOperation('count-tasks', input, { enabled: vault !== undefined })
  return data !== undefined && data.states.live + data.states.archived === 0 && !isFiltered(filter)
}

interface Props {
  vaultId: string
  filter: TaskFilter
  setFilter: (changes: Changes<TaskFilter>) => void
  record: OpenRecord
}

function Tasks({ vaultId, filter, setFilter, record }: Props) {
  const Shown = isList(filter) ? TaskList : Board
  const mayEdit = useMay('editor')
  return (
    <>
      <ListWithPanel
        record={record}
        title="Task"
        back="All tasks"
        canEdit
        filters={<TaskFilters vaultId={vaultId} filter={filter} setFilter={setFilter} />}
        list={<Shown vaultId={vaultId} filter={filter} setFilter={setFilter} record={record} />}
      >
        {(id) => (
          <TaskDetail
            vaultId={vaultId}
            id={id}
            isEditing={record.isEditing}
            onEdited={record.endEdit}
            onGone={record.close}
          />
        )}
      </ListWithPanel>
      <TaskForm
        isOpen={filter.new && mayEdit}
        onClose={() => setFilter({ new: false, into: '' })}
        vaultId={vaultId}
        into={statuses.find((status) => status === filter.into)}
      />
    </>
  )
}

function Board({ vaultId, filter, setFilter, record }: Props) {
  const columns = useColumns(inputOf(filter, vaultId))
  const tasks = columns.flatMap(tasksOf)
  const { selection, selected, current, setCurrent } = useTaskKeys(tasks, record)
  const isEmpty = columns.every(({ query }) => query.data?.pages[0]?.total === 0)
  if (isEmpty) return <EmptyTasks vaultId={vaultId} filter={filter} setFilter={setFilter} />
  return (
    <>
      <LeftOut pages={columns.flatMap(({ query }) => query.data?.pages ?? [])} />
      <TaskBoard
        columns={columns}
        selection={selection}
        current={current}
        openId={record.id}
        onOpen={record.open}
        onFocus={setCurrent}
        onAdd={(into) => setFilter({ new: true, into })}
      />
      {selected.length > 0 && <TaskBulkBar tasks={selected} onClear={selection.clear} />}
    </>
  )
}

const none: readonly Task[] = []

function TaskList({ vaultId, filter, setFilter, record }: Props) {
  const input = listInputOf(filter, vaultId)
  const query = usePage('list-tasks', input)
  const name = query.data === undefined || query.isPlaceholderData ? undefined : JSON.stringify(input)
  const { rows, newCount, showNew } = useSteadyRows(query.data?.tasks ?? none, { idOf: ({ taskId }) => taskId, name })
  const { selection, selected, setCurrent } = useTaskKeys(rows, record)
  return (
    <Loaded query={query}>
      {(page) =>
        page.total === 0 ? (
          <EmptyTasks vaultId={vaultId} filter={filter} setFilter={setFilter} />
        ) : (
          <>
            <LeftOut pages={[page]} />
            <NewRows count={newCount} onShow={showNew} />
            <RecordRows
              looks={taskLooks}
              rows={rows}
              count={isOnlyOpen(filter) ? countOf(page.total, 'open task') : countOf(page.total, 'task')}
              selection={selection}
              record={record}
              onFocus={setCurrent}
              sort={filter.sort === '' ? 'urgent' : filter.sort}
              onSort={(sort) => setFilter({ sort, offset: 0 })}
            />
            <Pager page={page} onOffset={(offset) => setFilter({ offset })} />
            {selected.length > 0 && <TaskBulkBar tasks={selected} onClear={selection.clear} />}
          </>
        )
      }
    </Loaded>
  )
}

/** The selection, and shortcuts that act on it, or on the focused task if nothing is selected. */
function useTaskKeys(tasks: readonly Task[], opened: OpenRecord) {
  const actions = useTaskActions()
  const rows = useSelectableRows(tasks, ({ taskId }) => taskId, {
    edit: opened.edit,
    archive: (id) => actions.archive([id]),
    opened,
  })
  const { selected, current } = rows
  const targets = selected.length > 0 ? selected : tasks.filter(({ taskId }) => taskId === current)
  const mayEdit = useMay('editor')
  const onTargets = (act: (tasks: readonly Task[]) => void) => () => {
    if (targets.length > 0) act(targets)
  }
  useShortcut(
    mayEdit ? 's' : undefined,
    'Change state',
    onTargets((chosen) => actions.ask('state', chosen)),
  )
  useShortcut(
    mayEdit ? 'p' : undefined,
    'Set priority',
    onTargets((chosen) => actions.ask('priority', chosen)),
  )
  useShortcut(
    mayEdit ? 'a' : undefined,
    'Assign',
    onTargets((chosen) => actions.ask('assignee', chosen)),
  )
  return rows
}

function EmptyTasks({ vaultId, filter, setFilter }: Omit<Props, 'record'>) {
  const { data } = useOperation('count-tasks', { vaultId, state: filter.state })
  const mayEdit = useMay('editor')
  if (isFiltered(filter)) return <NoMatches what="tasks" onClear={() => setFilter(taskUrl.noFilter)} />
  if (filter.state === 'archived') return <Text c="dimmed">No archived tasks.</Text>
  if (data !== undefined && data.states.live > 0)
    return (
      <EmptyState
        icon={ListTodo}
        action={
          <Button variant="default" onClick={() => setFilter({ status: 'any' })}>
            Show done tasks
          </Button>
        }
      >
        No open tasks.
      </EmptyState>
    )
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
        No current tasks.
      </EmptyState>
    )
  if (!mayEdit) return <EmptyState icon={ListTodo}>No tasks yet.</EmptyState>
  return (
    <EmptyState icon={ListTodo} action={<ConnectAgent />} command={holdfast('remember --type task "Water the ferns"')}>
      No tasks yet. Agents create them as they work, or you can add one.
    </EmptyState>
  )
}
