import type { InputOf } from '../../api/call.ts'
import { statuses } from './task-looks.tsx'

/** The filter and view in the URL. */
export const shown = {
  view: 'board',
  q: '',
  status: '',
  assignee: '',
  unassigned: false,
  priority: 0,
  entity: '',
  run: '',
  state: 'live',
  sort: '',
  offset: 0,
  new: false,
  into: '',
}

export type TaskFilter = {
  [Name in keyof typeof shown]: (typeof shown)[Name]
}

export type ListInput = InputOf<'list-tasks'>

export const pageSize = 25

const narrowing = ['q', 'status', 'assignee', 'unassigned', 'priority', 'entity', 'run'] as const

export const isList = ({ view }: TaskFilter) => view === 'list'

/** The board ignores the state filter, since it shows all states as columns. */
export const isNarrowed = (filter: TaskFilter) =>
  narrowing.some((name) => filter[name] !== shown[name] && (name !== 'status' || isList(filter)))

export const withoutFilter: Partial<TaskFilter> = Object.fromEntries(
  [...narrowing, 'offset' as const].map((name) => [name, shown[name]]),
)

const sorts = ['urgent', 'updated', 'newest'] as const
const states = ['live', 'archived', 'all'] as const

export const stateOf = ({ state }: TaskFilter) => one(states, state) ?? 'live'

/** The query that board and list share. Ignores invalid values in the URL. */
export function inputOf(filter: TaskFilter, vaultId: string): ListInput {
  const { q, assignee, unassigned, priority, entity, run } = filter
  return {
    vaultId,
    q: textOf(q),
    assignedAgentId: unassigned ? undefined : textOf(assignee),
    unassigned: unassigned || undefined,
    priorityMin: priority > 1 && priority <= 5 ? priority : undefined,
    entity: textOf(entity),
    runId: textOf(run),
    state: stateOf(filter),
    sort: one(sorts, filter.sort),
    limit: pageSize,
  }
}

/** The query of the list, which adds the state filter and paging. */
export function listInputOf(filter: TaskFilter, vaultId: string): ListInput {
  const status = one(statuses, filter.status)
  return { ...inputOf(filter, vaultId), status: status && [status], offset: filter.offset }
}

const textOf = (text: string) => (text.trim() === '' ? undefined : text.trim())

const one = <T extends string>(all: readonly T[], given: string): T | undefined => all.find((each) => each === given)
