import type { InputOf } from '../../api/call.ts'
import { startOfDay } from '../../components/text/days.ts'
import { describeUrl, oneOf, textOf } from '../../shell/url-state.ts'
import { statuses } from './task-looks.tsx'

export const taskUrl = describeUrl(
  {
    view: oneOf(['board', 'list'], 'board'),
    q: '',
    status: oneOf(['any', ...statuses], ''),
    assignee: '',
    unassigned: false,
    priority: 0,
    entity: '',
    run: '',
    /** Days of their creation, as in `2026-11-26`. */
    from: '',
    to: '',
    state: oneOf(['live', 'archived', 'all'], 'live'),
    sort: oneOf(['urgent', 'updated', 'newest'], ''),
    offset: 0,
    new: false,
    into: '',
  },
  { filters: ['q', 'status', 'assignee', 'unassigned', 'priority', 'entity', 'run', 'from', 'to'] },
)

export type TaskFilter = typeof taskUrl.defaults

export type ListInput = InputOf<'list-tasks'>

const pageSize = 25

export const isList = ({ view }: TaskFilter) => view === 'list'

/** The board has a column for each status, so only the list is filtered by it. */
export const isFiltered = (filter: TaskFilter) =>
  taskUrl.isFiltered(isList(filter) ? filter : { ...filter, status: '' })

/** The query of both the board and the list. */
export function inputOf(filter: TaskFilter, vaultId: string): ListInput {
  const { unassigned, priority, state, sort } = filter
  return {
    vaultId,
    q: textOf(filter.q),
    assignedAgentId: unassigned ? undefined : textOf(filter.assignee),
    unassigned: unassigned || undefined,
    priorityMin: priority > 1 && priority <= 5 ? priority : undefined,
    entity: textOf(filter.entity),
    runId: textOf(filter.run),
    createdFrom: startOfDay(filter.from)?.toISOString(),
    createdTo: startOfDay(filter.to, 1)?.toISOString(),
    state,
    sort: sort === '' ? undefined : sort,
    limit: pageSize,
  }
}

const open = statuses.filter((status) => status !== 'done')

/** Whether the list hides what is done. A search finds that, too. */
export const isOnlyOpen = ({ status, q, state }: TaskFilter) => status === '' && q.trim() === '' && state === 'live'

export function listInputOf(filter: TaskFilter, vaultId: string): ListInput {
  const { status, offset } = filter
  const chosen = status === '' || status === 'any' ? undefined : [status]
  return { ...inputOf(filter, vaultId), status: isOnlyOpen(filter) ? open : chosen, offset }
}
