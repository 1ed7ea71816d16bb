import { usePage } from '../../api/queries.ts'
import { FacetSelect, FilterBar, FilterSelect } from '../../components/lists/filters.tsx'
import { outcomes, periods, type RunFilter, runUrl } from './run-filter.ts'
import type { Changes } from '../../shell/url-state.ts'

interface Props {
  vaultId: string
  filter: RunFilter
  setFilter: (changes: Changes<RunFilter>) => void
}

export function RunFilters({ vaultId, filter, setFilter }: Props) {
  const { data } = usePage('list-active-agents', { vaultId, withinDays: 365, limit: 100 })
  const change = (changes: Changes<RunFilter>) => setFilter({ offset: 0, ...changes })
  const agents = data?.agents.filter(({ runs }) => runs > 0) ?? []
  // No agents to filter by.
  if (data === undefined || (agents.length === 0 && !runUrl.isFiltered(filter))) return null
  return (
    <FilterBar
      isInUse={runUrl.isFiltered(filter)}
      onClear={runUrl.isFiltered(filter) ? () => change(runUrl.noFilter) : undefined}
    >
      <FacetSelect
        label="Agent"
        placeholder="All agents"
        value={filter.agent}
        options={agents.map(({ agentId, runs }) => ({ value: agentId, label: agentId, count: runs }))}
        onChange={(agent) => change({ agent })}
      />
      <FilterSelect
        label="When"
        placeholder="Any time"
        value={filter.period}
        options={periods.map(({ value, label }) => ({ value, label }))}
        onChange={(period) => change({ period })}
        width={150}
      />
      <FilterSelect
        label="Outcome"
        placeholder="Any outcome"
        value={filter.outcome}
        options={outcomes.map(({ value, label }) => ({ value, label }))}
        onChange={(outcome) => change({ outcome })}
        width={165}
      />
    </FilterBar>
  )
}
