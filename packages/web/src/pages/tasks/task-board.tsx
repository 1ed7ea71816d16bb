import type { Task } from '@holdfast/client/dashboard'
import { ActionIcon, Box, Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { SkeletonCards } from '../../components/feedback/skeletons.tsx'
import { Plus } from 'lucide-react'
import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type RefObject,
  type UIEvent,
} from 'react'
import { usePages } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/loaded.tsx'
import { formatCount } from '../../components/text/time-text.ts'
import type { Selection } from '../../components/lists/selection.tsx'
import { StateChips } from './state-chips.tsx'
import classes from './task-board.module.css'
import { TaskCard } from './task-card.tsx'
import { useTaskActions } from './task-actions.tsx'
import type { ListInput } from './task-filter.ts'
import { statuses, StatusMark, titleOfStatus, type TaskStatus } from './task-looks.tsx'
import { OnlyFor } from '../../components/frame/only-for.tsx'

type Column = { status: TaskStatus; query: ReturnType<typeof usePages<'list-tasks'>> }

/** One list per state, each with its own paging. */
export function useColumns(input: ListInput): Column[] {
  return [
    { status: 'backlog', query: usePages('list-tasks', { ...input, status: ['backlog'] }) },
    { status: 'todo', query: usePages('list-tasks', { ...input, status: ['todo'] }) },
    { status: 'in_progress', query: usePages('list-tasks', { ...input, status: ['in_progress'] }) },
    { status: 'blocked', query: usePages('list-tasks', { ...input, status: ['blocked'] }) },
    // Priorities no longer matter there. Few tasks change once they are done, so this is when they were finished.
    { status: 'done', query: usePages('list-tasks', { ...input, sort: input.sort ?? 'updated', status: ['done'] }) },
  ]
}

export const tasksOf = ({ query }: Column) => query.data?.pages.flatMap(({ tasks }) => tasks) ?? []
const totalOf = ({ query }: Column) => query.data?.pages[0]?.total

interface Props {
  columns: readonly Column[]
  selection: Selection
  current: string | undefined
  openId: string | undefined
  onOpen: (id: string) => void
  onFocus: (id: string) => void
  onAdd: (status: TaskStatus) => void
}

export function TaskBoard({ columns, selection, current, openId, onOpen, onFocus, onAdd }: Props) {
  const [dragged, setDragged] = useState<Task>()
  const actions = useTaskActions()
  const all = columns.flatMap(tasksOf)
  // Dragging a selected task moves the whole selection.
  const moved =
    dragged === undefined
      ? []
      : selection.ids.includes(dragged.taskId)
        ? all.filter(({ taskId }) => selection.ids.includes(taskId))
        : [dragged]
  useKeepFocus(current, all.find(({ taskId }) => taskId === current)?.status)
  const board = useRef<HTMLDivElement>(null)
  const isOnPhone = useMediaQuery('(max-width: 600px)', window.innerWidth <= 600)
  const { shown, show, noteScroll } = useShownColumn(board, columns, isOnPhone)
  return (
    <>
      {isOnPhone && (
        <StateChips
          states={columns.map((column) => ({ status: column.status, total: totalOf(column) }))}
          shown={shown}
          onShow={show}
        />
      )}
      {/* Focusable so that it can be scrolled by keyboard on small screens. */}
      <div ref={board} className={classes.board} role="group" aria-label="Board" tabIndex={0} onScroll={noteScroll}>
        {columns.map((column) => (
          <BoardColumn
            key={column.status}
            column={column}
            isTarget={moved.some(({ status }) => status !== column.status)}
            onDrop={() => actions.move(moved, column.status)}
            onAdd={() => onAdd(column.status)}
          >
            {(task) => (
              <TaskCard
                key={task.taskId}
                task={task}
                isSelected={selection.ids.includes(task.taskId)}
                isOpen={task.taskId === openId}
                onOpen={() => onOpen(task.taskId)}
                onSelect={() => selection.toggle(task.taskId)}
                onFocus={() => onFocus(task.taskId)}
                onDrag={setDragged}
              />
            )}
          </BoardColumn>
        ))}
      </div>
    </>
  )
}

/** Keeps the focus on a card that moves to another column, where it becomes a new element. */
function useKeepFocus(current: string | undefined, status: TaskStatus | undefined): void {
  useEffect(() => {
    if (current === undefined || status === undefined || document.activeElement !== document.body) return
    document.querySelector<HTMLElement>(`[data-row="${current}"]`)?.focus()
  }, [current, status])
}

/** How far each column is from the start of the board's view. */
const distances = (element: HTMLElement) =>
  Array.from(
    element.children,
    (column) => column.getBoundingClientRect().left - element.getBoundingClientRect().left - 4,
  )

const showColumn = (board: HTMLElement | null, status: TaskStatus) =>
  board?.scrollBy({ left: distances(board)[statuses.indexOf(status)] ?? 0 })

/** What a board is opened for, first. */
const byInterest: readonly TaskStatus[] = ['in_progress', 'todo', 'blocked', 'backlog', 'done']

/**
 * The column at the start of the board's view. Where only one column fits, the board starts with the work in progress, and doesn't show an
 * empty column instead of one with tasks once they have loaded.
 */
function useShownColumn(board: RefObject<HTMLDivElement | null>, columns: readonly Column[], isOnPhone: boolean) {
  const [shown, setShown] = useState<TaskStatus>('in_progress')
  const isLoaded = columns.every((column) => totalOf(column) !== undefined && !column.query.isPlaceholderData)
  const showAgain = useEffectEvent((fills: boolean) => {
    const isFilled = (status: TaskStatus) => columns.some((one) => one.status === status && totalOf(one) !== 0)
    const filled = fills && !isFilled(shown) ? byInterest.find(isFilled) : undefined
    showColumn(board.current, filled ?? shown)
  })
  useLayoutEffect(() => {
    if (isOnPhone || (board.current?.clientWidth ?? Infinity) <= 620) showAgain(isLoaded)
  }, [board, isOnPhone, isLoaded])
  const noteScroll = ({ currentTarget }: UIEvent<HTMLElement>) => {
    const away = distances(currentTarget).map(Math.abs)
    setShown(statuses[away.indexOf(Math.min(...away))] ?? shown)
  }
  return { shown, show: (status: TaskStatus) => showColumn(board.current, status), noteScroll }
}

interface ColumnProps {
  column: Column
  /** Whether the dragged tasks can be dropped here. */
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
  const total = totalOf(column)
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
        <OnlyFor needs="editor">
          <ActionIcon
            variant="subtle"
            color="gray"
            size={26}
            aria-label={`New task in ${titleOfStatus(status)}`}
            onClick={onAdd}
          >
            <Plus size={16} />
          </ActionIcon>
        </OnlyFor>
      </header>
      {query.error !== null && (
        <ErrorNotice error={query.error} retry={() => void query.refetch()} isBusy={query.isFetching} />
      )}
      {query.isPending && query.error === null && <SkeletonCards cards={2} />}
      {total === 0 && <p className={classes.none}>No tasks</p>}
      {tasks.length > 0 && <ul className={classes.cards}>{tasks.map(children)}</ul>}
      {query.hasNextPage && (
        <Button
          variant="subtle"
          size="xs"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {`Show more (${formatCount(total ?? 0)} in total)`}
        </Button>
      )}
    </Box>
  )
}
