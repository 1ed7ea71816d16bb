import { Button, Checkbox, Collapse, Group, SegmentedControl, Select, Text } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { SlidersHorizontal } from 'lucide-react'
import { useOperation } from '../../api/queries.ts'
import type { OutputOf } from '../../api/call.ts'
import { FacetSelect } from '../../components/facet-select.tsx'
import { titleOfType } from '../../components/memory-types.tsx'
import { SearchBox } from '../../components/search-box.tsx'
import { formatCount } from '../../components/time-text.ts'
import { isNarrowed, stateOf, withoutFilter, type MemoryFilter } from './memory-filter.ts'

type Facets = OutputOf<'count-memories'>

interface Props {
  vaultId: string
  filter: MemoryFilter
  setFilter: (changes: Partial<MemoryFilter>) => void
}

export function MemoryFilters({ vaultId, filter, setFilter }: Props) {
  const { data: facets } = useOperation('count-memories', { vaultId, state: stateOf(filter) })
  const isNarrow = useMediaQuery('(max-width: 767px)', window.innerWidth < 768)
  const [isOpen, open] = useDisclosure(isNarrowed({ ...filter, q: '' }))
  const change = (changes: Partial<MemoryFilter>) => setFilter({ offset: 0, ...changes })
  // Nothing to choose from.
  if (facets?.states.all === 0 && !isNarrowed(filter)) return null
  const narrowing = <Narrowing facets={facets} filter={filter} change={change} />
  return (
    <search>
      <Group gap="sm" mb="sm" align="center">
        <SearchBox
          value={filter.q}
          onChange={(q) => change({ q })}
          label="Search memories"
          placeholder="Search by words or meaning"
        />
        <StateChoice facets={facets} filter={filter} change={change} />
        {isNarrowed(filter) && (
          <Button variant="subtle" size="compact-sm" onClick={() => change(withoutFilter)}>
            Clear all
          </Button>
        )}
        {isNarrow && (
          <Button
            variant="default"
            leftSection={<SlidersHorizontal size={15} aria-hidden />}
            aria-expanded={isOpen}
            onClick={open.toggle}
          >
            Filters
          </Button>
        )}
      </Group>
      {isNarrow ? <Collapse expanded={isOpen}>{narrowing}</Collapse> : narrowing}
    </search>
  )
}

type Part = { facets: Facets | undefined; filter: MemoryFilter; change: (changes: Partial<MemoryFilter>) => void }

function StateChoice({ facets, filter, change }: Part) {
  const label = (title: string, count: number | undefined) => (
    <span>
      {title}
      {count !== undefined && (
        <Text span size="xs" c="dimmed" ml={6}>
          {formatCount(count)}
        </Text>
      )}
    </span>
  )
  return (
    <SegmentedControl
      aria-label="Which memories"
      value={stateOf(filter)}
      onChange={(state) => change({ state })}
      data={[
        { value: 'live', label: label('Live', facets?.states.live) },
        { value: 'archived', label: label('Archived', facets?.states.archived) },
        { value: 'all', label: label('All', facets?.states.all) },
      ]}
    />
  )
}

function Narrowing({ facets, filter, change }: Part) {
  return (
    <Group gap="xs" mb="md" align="center">
      <FacetSelect
        label="Type"
        value={filter.type}
        options={facets?.types.map((each) => ({ ...each, label: titleOfType(each.value) }))}
        onChange={(type) => change({ type })}
      />
      <Select
        aria-label="Importance"
        placeholder="Importance"
        clearable
        w={135}
        value={filter.importance === 0 ? null : String(filter.importance)}
        data={importances}
        onChange={(value) => change({ importance: Number(value ?? 0) })}
      />
      <FacetSelect
        label="Agent"
        value={filter.agent}
        options={facets?.agents.map((each) => ({ ...each, label: each.value === 'user' ? 'People' : each.value }))}
        onChange={(agent) => change({ agent })}
      />
      <FacetSelect
        label="Entity"
        value={filter.entity}
        options={facets?.entities.map((each) => ({ ...each, label: each.value }))}
        onChange={(entity) => change({ entity })}
      />
      <Select
        aria-label="Order"
        placeholder={filter.q === '' ? 'Newest first' : 'Best match first'}
        clearable
        w={165}
        value={filter.sort === '' ? null : filter.sort}
        data={orders}
        onChange={(sort) => change({ sort: sort ?? '' })}
      />
      <Checkbox
        label={`Never recalled${facets === undefined ? '' : ` (${formatCount(facets.neverRecalled)})`}`}
        checked={filter.neverRecalled}
        onChange={({ currentTarget }) => change({ neverRecalled: currentTarget.checked })}
      />
      <Checkbox
        label={`Contradicts another${facets === undefined ? '' : ` (${formatCount(facets.contradicts)})`}`}
        checked={filter.contradicts}
        onChange={({ currentTarget }) => change({ contradicts: currentTarget.checked })}
      />
    </Group>
  )
}

const importances = [
  { value: '2', label: '2 and more' },
  { value: '3', label: '3 and more' },
  { value: '4', label: '4 and more' },
  { value: '5', label: '5, vital' },
]

const orders = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'updated', label: 'Last changed first' },
  { value: 'importance', label: 'Most important first' },
  { value: 'recalled', label: 'Last recalled first' },
]
