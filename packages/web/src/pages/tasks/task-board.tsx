import type { Task } from '@holdfast/client/dashboard'
import { ActionIcon, Box, Button, Skeleton } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { usePages } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/loaded.tsx'
import { formatCount } from '../../components/text/time-text.ts'
import type { Selection } from '../../components/lists/selection.tsx'
import classes from './task-board.module.css'
import { TaskCard } from './task-card.tsx'
import { useTaskDeeds } from './task-deeds.tsx'
import type { ListInput } from './task-filter.ts'
import { StatusMark, titleOfStatus, type TaskStatus } from './task-looks.tsx'

type Column = { status: TaskStatus; query: ReturnType<typeof usePages<'browse-tasks'>> }

/** One list for each state, which grows by itself. */
export function useColumns(input: ListInput): Column[] {
  return [
    { status: 'backlog', query: usePages('browse-tasks', { ...input, status: ['backlog'] }) },
    { status: 'todo', query: usePages('browse-tasks', { ...input, status: ['todo'] }) },
    { status: 'in_progress', query: usePages('browse-tasks', { ...input, status: ['in_progress'] }) },
    { status: 'blocked', query: usePages('browse-tasks', { ...input, status: ['blocked'] }) },
    { status: 'done', query: usePages('browse-tasks', { ...input, status: ['done'] }) },
  ]
}

export const tasksOf = ({ query }: Column) => query.data?.pages.flatMap(({ tasks }) => tasks) ?? []

interface Props {
  columns: readonly Column[]
  selection: Selection
  current: string | undefined
  onOpen: (id: string) => void
  onFocus: (id: string) => void
  onAdd: (status: TaskStatus) => void
}

export function TaskBoard({ columns, selection, current, onOpen, onFocus, onAdd }: Props) {
  const [dragged, setDragged] = useState<Task>()
  const deeds = useTaskDeeds()
  const all = columns.flatMap(tasksOf)
  // What is dragged takes along what is selected with it.
  const moved =
    dragged === undefined
      ? []
      : selection.ids.includes(dragged.taskId)
        ? all.filter(({ taskId }) => selection.ids.includes(taskId))
        : [dragged]
  useFocusThatMoves(current, all.find(({ taskId }) => taskId === current)?.status)
  return (
    // Focusable, since on small screens it may have to be scrolled by keyboard.
    <div className={classes.board} role="group" aria-label="Board" tabIndex={0}>
      {columns.map((column) => (
        <BoardColumn
          key={column.status}
          column={column}
          isTarget={moved.some(({ status }) => status !== column.status)}
          onDrop={() => deeds.move(moved, column.status)}
          onAdd={() => onAdd(column.status)}
        >
          {(task) => (
            <TaskCard
              key={task.taskId}
              task={task}
              isSelected={selection.ids.includes(task.taskId)}
              onOpen={() => onOpen(task.taskId)}
              onSelect={() => selection.toggle(task.taskId)}
              onFocus={() => onFocus(task.taskId)}
              onDrag={setDragged}
            />
          )}
        </BoardColumn>
      ))}
    </div>
  )
}

/** In another column a card is another element: the keyboard goes on from there. */
function useFocusThatMoves(current: string | undefined, status: TaskStatus | undefined): void {
  useEffect(() => {
    if (current === undefined || status === undefined || document.activeElement !== document.body) return
    document.querySelector<HTMLElement>(`[data-row="${current}"]`)?.focus()
  }, [current, status])
}

interface ColumnProps {
  column: Column
  /** Whether what is dragged may be dropped here. */
  isTarget: boolean
  onDrop: () => void
  onAdd: () => void
  children: (task: Task) => React.ReactNode
}

function BoardColumn({ column, isTarget, onDrop, onAdd, children }: ColumnProps) {
  const { status, query } = column
  const [isOver, setOver] = useState(false)
  const heading = useId()
  const tasks = tasksOf(column)
  const total = query.data?.pages[0]?.total
  return (
    <Box
      component="section"
      className={classes.column}
      aria-labelledby={heading}
      data-over={isOver && isTarget}
      onDragOver={(event) => {
        if (!isTarget) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false)
      }}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        onDrop()
      }}
    >
      <header className={classes.head}>
        <h2 id={heading} className={classes.heading}>
          <StatusMark status={status} />
          <span className={classes.count}>{total === undefined ? '' : formatCount(total)}</span>
        </h2>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={26}
          aria-label={`New task in ${titleOfStatus(status)}`}
          onClick={onAdd}
        >
          <Plus size={16} />
        </ActionIcon>
      </header>
      {query.error !== null && (
        <ErrorNotice error={query.error} retry={() => void query.refetch()} isBusy={query.isFetching} />
      )}
      {query.isPending && query.error === null && <Skeleton height={96} radius="md" aria-label="Loading" />}
      {total === 0 && <p className={classes.none}>None</p>}
      {tasks.length > 0 && <ul className={classes.cards}>{tasks.map(children)}</ul>}
      {query.hasNextPage && (
        <Button
          variant="subtle"
          size="xs"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {`Show more of ${formatCount(total ?? 0)}`}
        </Button>
      )}
    </Box>
  )
}
