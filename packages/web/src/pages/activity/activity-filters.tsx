import { Button, Checkbox, SegmentedControl, Select } from '@mantine/core'
import { X } from 'lucide-react'
import { FilterBar } from '../../components/lists/filters.tsx'
import { usePage } from '../../api/queries.ts'
import { classes, type ActivityFilter, activityUrl } from './activity-filter.ts'
import type { Changes } from '../../shell/url-state.ts'

interface Props {
  filter: ActivityFilter
  setFilter: (changes: Changes<ActivityFilter>) => void
}

const maxAgents = 100

const times = [
  { value: '1', label: 'Today' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '0', label: '90 days' },
]

const others = [
  { value: 'person', label: 'You' },
  { value: 'member', label: 'Members' },
  { value: 'operator', label: 'Command line' },
  { value: 'service', label: 'Holdfast' },
  { value: 'stranger', label: 'Failed sign-ins' },
]

export function ActivityFilters({ filter, setFilter }: Props) {
  return (
    <FilterBar
      isInUse={activityUrl.isFiltered(filter)}
      onClear={activityUrl.isFiltered(filter) ? () => setFilter(activityUrl.noFilter) : undefined}
    >
      <Select
        aria-label="Actions"
        data={[{ value: '', label: 'Everything' }, ...classes]}
        value={filter.class}
        onChange={(value) => setFilter({ class: value ?? '' })}
        allowDeselect={false}
        w={140}
      />
      <WhoSelect value={filter.who} onChange={(who) => setFilter({ who })} />
      <SegmentedControl
        aria-label="Time"
        data={times}
        value={String(times.some(({ value }) => value === String(filter.days)) ? filter.days : 0)}
        onChange={(value) => setFilter({ days: Number(value) })}
      />
      <Checkbox
        mx={6}
        label="Failed only"
        checked={filter.failed}
        onChange={({ currentTarget }) => setFilter({ failed: currentTarget.checked })}
      />
      <Checkbox
        label="Include heartbeats"
        checked={filter.heartbeats}
        onChange={({ currentTarget }) => setFilter({ heartbeats: currentTarget.checked })}
      />
      {filter.record !== '' && (
        <Button
          variant="light"
          size="compact-sm"
          rightSection={<X size={14} aria-hidden />}
          onClick={() => setFilter({ record: '' })}
        >
          One record: {filter.record.slice(-8)}
        </Button>
      )}
    </FilterBar>
  )
}

function WhoSelect({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { data } = usePage('list-integrations', { limit: maxAgents })
  const agents = (data?.integrations ?? []).map(({ id, label }) => ({ value: id, label }))
  const isGone = value.includes('-') && !agents.some((agent) => agent.value === value)
  return (
    <Select
      aria-label="Actor"
      searchable
      data-filter
      data={[
        {
          group: 'All',
          items: [
            { value: '', label: 'Everyone' },
            { value: 'agent', label: 'All agents' },
          ],
        },
        { group: 'Agents', items: isGone ? [...agents, { value, label: 'Deleted agent' }] : agents },
        { group: 'Others', items: others },
      ]}
      value={value}
      onChange={(next) => onChange(next ?? '')}
      allowDeselect={false}
      nothingFoundMessage="No matches"
      w={200}
    />
  )
}
