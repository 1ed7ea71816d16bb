import { Checkbox, SegmentedControl, Select, Text } from '@mantine/core'
import { useOperation } from '../../api/queries.ts'
import type { OutputOf } from '../../api/call.ts'
import { FacetSelect, FilterBar, FilterSelect, SearchBox } from '../../components/lists/filters.tsx'
import { Display } from '../../components/lists/list-tools.tsx'
import { DateRange } from '../../components/lists/date-range.tsx'
import { SavedViews } from '../../components/lists/saved-views.tsx'
import { titleOfType } from '../../components/records/memory-marks.tsx'
import { RunChip } from '../../components/records/run-chip.tsx'
import { formatCount } from '../../components/text/time-text.ts'
import { type MemoryFilter, memoryUrl } from './memory-filter.ts'
import classes from './memory-filters.module.css'
import { memoryLooks } from './memory-looks.tsx'
import { personBehind } from '../../components/records/people.ts'
import type { Changes } from '../../shell/url-state.ts'

type Facets = OutputOf<'count-memories'>

interface Props {
  vaultId: string
  /** Counts load after the list: the server takes 170 ms to count 100,000 memories. */
  isListed: boolean
  filter: MemoryFilter
  setFilter: (changes: Changes<MemoryFilter>) => void
}

export function MemoryFilters({ vaultId, isListed, filter, setFilter }: Props) {
  const { data: facets } = useOperation('count-memories', { vaultId, state: filter.state }, { enabled: isListed })
  const change = (changes: Changes<MemoryFilter>) => setFilter({ offset: 0, ...changes })
  // The vault has no memories.
  if (facets?.states.all === 0) return null
  return (
    <FilterBar
      lead={
        <SearchBox
          value={filter.q}
          onChange={(q) => change({ q })}
          label="Search memories"
          placeholder="Search memories"
        />
      }
      parts={
        <>
          <StateChoice counts={facets?.states} filter={filter} change={change} />
          <RunChip run={filter.run} onClear={() => change({ run: '' })} />
        </>
      }
      end={
        <>
          <SavedViews list="memories" vaultId={vaultId} url={memoryUrl} state={filter} onApply={setFilter} />
          <Display looks={memoryLooks}>
            <Select
              data-default
              label="Sort by"
              placeholder={filter.q === '' ? 'Newest first' : 'Best match first'}
              clearable
              value={filter.sort === '' ? null : filter.sort}
              data={orders}
              comboboxProps={{ withinPortal: false }}
              onChange={(sort) => change({ sort: sort ?? '' })}
            />
          </Display>
        </>
      }
      isFolded
      isInUse={memoryUrl.isFiltered({ ...filter, q: '', run: '' })}
      onClear={memoryUrl.isFiltered(filter) ? () => change(memoryUrl.noFilter) : undefined}
    >
      <FilterFields facets={facets} filter={filter} change={change} />
    </FilterBar>
  )
}

type Part = { facets: Facets | undefined; filter: MemoryFilter; change: (changes: Changes<MemoryFilter>) => void }

/** `counts` cover all memories, so they aren't shown while a filter is set. */
function StateChoice({ counts, filter, change }: Omit<Part, 'facets'> & { counts: Facets['states'] | undefined }) {
  const label = (title: string, count: number | undefined) =>
    memoryUrl.isFiltered(filter) ? (
      title
    ) : (
      <span>
        {title}
        <Text span size="xs" c="dimmed" ml={6} className={classes.count}>
          {count !== undefined && formatCount(count)}
        </Text>
      </span>
    )
  return (
    <SegmentedControl
      aria-label="Memory state"
      value={filter.state}
      onChange={(state) => change({ state })}
      data={[
        { value: 'live', label: label('Current', counts?.live) },
        { value: 'superseded', label: label('Superseded', counts?.superseded) },
        { value: 'archived', label: label('Archived', counts?.archived) },
        { value: 'all', label: label('All', counts?.all) },
      ]}
    />
  )
}

function FilterFields({ facets, filter, change }: Part) {
  const counted = (count: number | undefined) =>
    count === undefined || filter.q !== '' ? '' : ` (${formatCount(count)})`
  return (
    <>
      <FacetSelect
        label="Type"
        value={filter.type}
        options={facets?.types.map((each) => ({ ...each, label: titleOfType(each.value) }))}
        onChange={(type) => change({ type })}
        width={140}
      />
      <FilterSelect
        label="Importance"
        value={filter.importance === 0 ? '' : String(filter.importance)}
        options={importances}
        onChange={(value) => change({ importance: Number(value) })}
        width={130}
      />
      <FacetSelect
        label="Agent"
        value={filter.agent}
        options={facets?.agents.map((each) => ({
          ...each,
          label: each.value === 'user' ? 'People' : (personBehind(each.value) ?? each.value),
        }))}
        onChange={(agent) => change({ agent })}
        width={130}
      />
      <FacetSelect
        label="Entity"
        value={filter.entity}
        options={facets?.entities.map((each) => ({ ...each, label: each.value }))}
        onChange={(entity) => change({ entity })}
        width={130}
      />
      <DateRange label="Stored" from={filter.from} to={filter.to} onChange={change} />
      <Checkbox
        label={`Never recalled${counted(facets?.neverRecalled)}`}
        checked={filter.neverRecalled}
        onChange={({ currentTarget }) => change({ neverRecalled: currentTarget.checked })}
      />
      <Checkbox
        label={`In a contradiction${counted(facets?.contradicts)}`}
        checked={filter.contradicts}
        onChange={({ currentTarget }) => change({ contradicts: currentTarget.checked })}
      />
    </>
  )
}

const importances = [
  { value: '2', label: '2 or more' },
  { value: '3', label: '3 or more' },
  { value: '4', label: '4 or more' },
  { value: '5', label: '5, vital' },
]

const orders = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'updated', label: 'Recently updated first' },
  { value: 'importance', label: 'Most important first' },
  { value: 'recalled', label: 'Recently recalled first' },
]
