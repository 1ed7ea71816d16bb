import { Button, Checkbox, Group, Select } from '@mantine/core'
import { usePage } from '../../api/queries.ts'
import { FacetSelect } from '../../components/facet-select.tsx'
import { checkpoints, isNarrowed, periods, withoutFilter, type RunFilter } from './run-filter.ts'

interface Props {
  vaultId: string
  filter: RunFilter
  setFilter: (changes: Partial<RunFilter>) => void
}

export function RunFilters({ vaultId, filter, setFilter }: Props) {
  const { data } = usePage('browse-agents', { vaultId, withinDays: 365, limit: 100 })
  const change = (changes: Partial<RunFilter>) => setFilter({ offset: 0, ...changes })
  // Nothing to choose from.
  if (data === undefined || (data.total === 0 && !isNarrowed(filter))) return null
  return (
    <search>
      <Group gap="xs" mb="md" align="center">
        <FacetSelect
          label="Agent"
          value={filter.agent}
          options={data.agents.map(({ agentId, runs }) => ({ value: agentId, label: agentId, count: runs }))}
          onChange={(agent) => change({ agent })}
        />
        <Select
          aria-label="When"
          placeholder="Any time"
          clearable
          w={150}
          data={periods.map(({ value, label }) => ({ value, label }))}
          value={filter.period === '' ? null : filter.period}
          onChange={(period) => change({ period: period ?? '' })}
        />
        <Select
          aria-label="Checkpoint"
          placeholder="Saved or not"
          clearable
          w={165}
          data={checkpoints}
          value={filter.checkpoint === '' ? null : filter.checkpoint}
          onChange={(checkpoint) => change({ checkpoint: checkpoint ?? '' })}
        />
        <Checkbox
          label="With errors"
          checked={filter.failed}
          onChange={({ currentTarget }) => change({ failed: currentTarget.checked })}
        />
        {isNarrowed(filter) && (
          <Button variant="subtle" size="compact-sm" onClick={() => change(withoutFilter)}>
            Clear all
          </Button>
        )}
      </Group>
    </search>
  )
}
