import { Group, SegmentedControl, Select, Text } from '@mantine/core'
import { List, SquareKanban } from 'lucide-react'
import type { OutputOf } from '../../api/call.ts'
import { useOperation, usePage } from '../../api/queries.ts'
import { nameOfAgent } from '../../components/records/agent-names.ts'
import { DateRange } from '../../components/lists/date-range.tsx'
import { FacetSelect, FilterBar, FilterSelect, SearchBox } from '../../components/lists/filters.tsx'
import { Display } from '../../components/lists/list-tools.tsx'
import { SavedViews } from '../../components/lists/saved-views.tsx'
import { RunChip } from '../../components/records/run-chip.tsx'
import { formatCount } from '../../components/text/time-text.ts'
import { isList, isOnlyOpen, listInputOf, type TaskFilter, taskUrl, isFiltered } from './task-filter.ts'
import classes from './task-filters.module.css'
import { taskLooks } from './task-list-looks.tsx'
import { statusOptions } from './task-looks.tsx'
import type { Changes } from '../../shell/url-state.ts'

interface Props {
  vaultId: string
  filter: TaskFilter
  setFilter: (changes: Changes<TaskFilter>) => void
}

export function TaskFilters({ vaultId, filter, setFilter }: Props) {
  const { data: facets } = useOperation('count-tasks', { vaultId, state: filter.state })
  const change = (changes: Changes<TaskFilter>) => setFilter({ offset: 0, ...changes })
  // No tasks to filter.
  if (facets?.states.all === 0 && !isFiltered(filter)) return null
  return (
    <FilterBar
      lead={
        <SearchBox value={filter.q} onChange={(q) => change({ q })} label="Search tasks" placeholder="Search tasks" />
      }
      parts={
        <Group gap="xs">
          <ViewChoice filter={filter} change={change} />
          {isList(filter) && <OpenOrDone vaultId={vaultId} filter={filter} change={change} />}
          <RunChip run={filter.run} onClear={() => change({ run: '' })} />
        </Group>
      }
      end={
        <>
          <SavedViews list="tasks" vaultId={vaultId} url={taskUrl} state={filter} onApply={setFilter} />
          {isList(filter) && <Display looks={taskLooks} />}
        </>
      }
      isFolded
      isInUse={isFiltered({ ...filter, q: '', run: '', ...(isPart(filter.status) && { status: '' }) })}
      onClear={isFiltered(filter) ? () => change(taskUrl.noFilter) : undefined}
    >
      <Narrowing facets={facets} filter={filter} change={change} />
    </FilterBar>
  )
}

type Part = {
  facets: OutputOf<'count-tasks'> | undefined
  filter: TaskFilter
  change: (changes: Changes<TaskFilter>) => void
}

function ViewChoice({ filter, change }: Pick<Part, 'filter' | 'change'>) {
  return (
    <SegmentedControl
      aria-label="How tasks are shown"
      className={classes.view}
      value={isList(filter) ? 'list' : 'board'}
      onChange={(view) => change({ view })}
      data={[
        { value: 'board', label: <Label icon={SquareKanban}>Board</Label> },
        { value: 'list', label: <Label icon={List}>List</Label> },
      ]}
    />
  )
}

/** The states that the list has parts for. The others are among the filters. */
const isPart = (status: string) => ['', 'done', 'any'].includes(status)
const open = 'open'

function OpenOrDone({ vaultId, filter, change }: Pick<Part, 'filter' | 'change'> & { vaultId: string }) {
  const counts = usePage('list-tasks', listInputOf(filter, vaultId)).data?.counts
  const all = counts && Object.values(counts).reduce((sum, count) => sum + count, 0)
  // A search finds what is done, too.
  const mayHideDone = isOnlyOpen({ ...filter, status: '' })
  const label = (title: string, count: number | undefined) => (
    <span>
      {title}
      <Text span size="xs" c="dimmed" ml={6} className={classes.count}>
        {count !== undefined && formatCount(count)}
      </Text>
    </span>
  )
  return (
    <SegmentedControl
      aria-label="Open or done"
      value={filter.status === '' ? (mayHideDone ? open : 'any') : filter.status}
      onChange={(part) => change({ status: part === open ? '' : part })}
      data={[
        ...(mayHideDone ? [{ value: open, label: label('Open', counts && all && all - counts.done) }] : []),
        { value: 'done', label: label('Done', counts?.done) },
        { value: 'any', label: label('All', all) },
      ]}
    />
  )
}

function Label({ icon: Icon, children }: { icon: typeof List; children: string }) {
  return (
    <span className={classes.label}>
      <Icon size={15} aria-hidden />
      <span className={classes.words}>{children}</span>
    </span>
  )
}

/** Not a valid agent name, so it can't clash with one. */
const unassigned = '\u0001'

function Narrowing({ facets, filter, change }: Part) {
  const assignees = facets?.assignees.map((each) => ({ ...each, label: nameOfAgent(each.value) })) ?? []
  const none = { value: unassigned, label: 'Unassigned', count: facets?.unassigned ?? 0 }
  return (
    <>
      {isList(filter) && (
        <FilterSelect
          label="State"
          placeholder={isOnlyOpen(filter) ? 'Open' : 'Any state'}
          value={filter.status}
          options={stateOptions}
          onChange={(status) => change({ status })}
          width={130}
        />
      )}
      <FacetSelect
        label="Assignee"
        value={filter.unassigned ? unassigned : filter.assignee}
        options={[none, ...assignees]}
        onChange={(value) => change({ unassigned: value === unassigned, assignee: value === unassigned ? '' : value })}
      />
      <FilterSelect
        label="Priority"
        value={filter.priority === 0 ? '' : String(filter.priority)}
        options={minPriorities}
        onChange={(value) => change({ priority: Number(value) })}
        width={180}
      />
      <FacetSelect
        label="Tag"
        value={filter.entity}
        options={facets?.entities.map((each) => ({ ...each, label: each.value }))}
        onChange={(entity) => change({ entity })}
      />
      <DateRange label="Created" from={filter.from} to={filter.to} onChange={change} />
      <FilterSelect
        label="Order"
        placeholder="Most urgent first"
        value={filter.sort}
        options={orders}
        onChange={(sort) => change({ sort })}
        width={190}
      />
      <Select
        aria-label="Which tasks"
        allowDeselect={false}
        w={120}
        value={filter.state}
        data={states}
        onChange={(state) => change({ state: state ?? 'live' })}
      />
    </>
  )
}

const stateOptions = [{ value: 'any', label: 'Any state' }, ...statusOptions]

const minPriorities = [
  { value: '2', label: 'Low and above' },
  { value: '3', label: 'Normal and above' },
  { value: '4', label: 'High and above' },
  { value: '5', label: 'Urgent' },
]

const orders = [
  { value: 'urgent', label: 'Most urgent first' },
  { value: 'updated', label: 'Last updated first' },
  { value: 'newest', label: 'Newest first' },
]

const states = [
  { value: 'live', label: 'Current' },
  { value: 'archived', label: 'Archived' },
  { value: 'all', label: 'All' },
]
