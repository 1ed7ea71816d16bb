import { Button, Collapse, Group, SegmentedControl, Select } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { List, SlidersHorizontal, SquareKanban } from 'lucide-react'
import type { OutputOf } from '../../api/call.ts'
import { useOperation } from '../../api/queries.ts'
import { nameOfAgent } from '../../components/agent-names.ts'
import { FacetSelect } from '../../components/facet-select.tsx'
import { SearchBox } from '../../components/search-box.tsx'
import { isList, isNarrowed, stateOf, withoutFilter, type TaskFilter } from './task-filter.ts'
import classes from './task-filters.module.css'
import { statusOptions } from './task-looks.tsx'

interface Props {
  vaultId: string
  filter: TaskFilter
  setFilter: (changes: Partial<TaskFilter>) => void
}

export function TaskFilters({ vaultId, filter, setFilter }: Props) {
  const { data: facets } = useOperation('count-tasks', { vaultId, state: stateOf(filter) })
  const isNarrow = useMediaQuery('(max-width: 767px)', window.innerWidth < 768)
  const [isOpen, open] = useDisclosure(isNarrowed({ ...filter, q: '' }))
  const change = (changes: Partial<TaskFilter>) => setFilter({ offset: 0, ...changes })
  // Nothing to choose from.
  if (facets?.states.all === 0 && !isNarrowed(filter)) return null
  const narrowing = <Narrowing facets={facets} filter={filter} change={change} />
  return (
    <search>
      <Group gap="sm" mb="sm" align="center">
        <ViewChoice filter={filter} change={change} />
        <SearchBox
          value={filter.q}
          onChange={(q) => change({ q })}
          label="Search tasks"
          placeholder="Words of the task"
        />
        {isNarrow ? (
          <Button
            variant="default"
            leftSection={<SlidersHorizontal size={15} aria-hidden />}
            aria-expanded={isOpen}
            onClick={open.toggle}
          >
            Filters
          </Button>
        ) : (
          narrowing
        )}
      </Group>
      {isNarrow && <Collapse expanded={isOpen}>{narrowing}</Collapse>}
    </search>
  )
}

type Part = {
  facets: OutputOf<'count-tasks'> | undefined
  filter: TaskFilter
  change: (changes: Partial<TaskFilter>) => void
}

function ViewChoice({ filter, change }: Pick<Part, 'filter' | 'change'>) {
  return (
    <SegmentedControl
      aria-label="How tasks are shown"
      value={isList(filter) ? 'list' : 'board'}
      onChange={(view) => change({ view })}
      data={[
        { value: 'board', label: <Label icon={SquareKanban}>Board</Label> },
        { value: 'list', label: <Label icon={List}>List</Label> },
      ]}
    />
  )
}

function Label({ icon: Icon, children }: { icon: typeof List; children: string }) {
  return (
    <span className={classes.label}>
      <Icon size={15} aria-hidden />
      {children}
    </span>
  )
}

/** No agent can be called so. */
const nobody = '\u0001'

function Narrowing({ facets, filter, change }: Part) {
  const assignees = facets?.assignees.map((each) => ({ ...each, label: nameOfAgent(each.value) })) ?? []
  const none = { value: nobody, label: 'Nobody yet', count: facets?.unassigned ?? 0 }
  return (
    <Group gap="xs" align="center">
      {isList(filter) && (
        <Select
          aria-label="State"
          placeholder="State"
          clearable
          w={130}
          value={filter.status === '' ? null : filter.status}
          data={statusOptions}
          onChange={(status) => change({ status: status ?? '' })}
        />
      )}
      <FacetSelect
        label="Assignee"
        value={filter.unassigned ? nobody : filter.assignee}
        options={[none, ...assignees]}
        onChange={(value) => change({ unassigned: value === nobody, assignee: value === nobody ? '' : value })}
      />
      <Select
        aria-label="Priority"
        placeholder="Priority"
        clearable
        w={130}
        value={filter.priority === 0 ? null : String(filter.priority)}
        data={leastPriorities}
        onChange={(value) => change({ priority: Number(value ?? 0) })}
      />
      <FacetSelect
        label="Tag"
        value={filter.entity}
        options={facets?.entities.map((each) => ({ ...each, label: each.value }))}
        onChange={(entity) => change({ entity })}
      />
      <Select
        aria-label="Order"
        placeholder="Most urgent first"
        clearable
        w={165}
        value={filter.sort === '' ? null : filter.sort}
        data={orders}
        onChange={(sort) => change({ sort: sort ?? '' })}
      />
      <Select
        aria-label="Which tasks"
        allowDeselect={false}
        w={120}
        value={stateOf(filter)}
        data={states}
        onChange={(state) => change({ state: state ?? 'live' })}
      />
      {isNarrowed(filter) && (
        <Button variant="subtle" size="compact-sm" onClick={() => change(withoutFilter)}>
          Clear all
        </Button>
      )}
    </Group>
  )
}

const leastPriorities = [
  { value: '2', label: 'Low and more' },
  { value: '3', label: 'Normal and more' },
  { value: '4', label: 'High and more' },
  { value: '5', label: 'At once' },
]

const orders = [
  { value: 'urgent', label: 'Most urgent first' },
  { value: 'updated', label: 'Last changed first' },
  { value: 'newest', label: 'Newest first' },
]

const states = [
  { value: 'live', label: 'Live' },
  { value: 'archived', label: 'Archived' },
  { value: 'all', label: 'All' },
]
