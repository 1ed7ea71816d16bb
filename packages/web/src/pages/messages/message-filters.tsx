import { SegmentedControl } from '@mantine/core'
import { useAgentNames } from '../../components/records/agent-names.ts'
import { FilterBar, FilterSelect, SearchBox } from '../../components/lists/filters.tsx'
import { priorityOptions } from '../../components/records/priority-mark.tsx'
import { useVaults } from '../../shell/vault.ts'
import { type MessageFilter, messageUrl } from './message-filter.ts'
import { categoryOptions } from './message-marks.tsx'
import type { Changes } from '../../shell/url-state.ts'

interface Props {
  filter: MessageFilter
  setFilter: (changes: Changes<MessageFilter>) => void
}

export function MessageFilters({ filter, setFilter }: Props) {
  const change = (changes: Changes<MessageFilter>) => setFilter({ offset: 0, ...changes })
  return (
    <FilterBar
      lead={
        <SearchBox
          value={filter.q}
          onChange={(q) => change({ q })}
          label="Search messages"
          placeholder="Search messages"
        />
      }
      parts={
        <SegmentedControl
          aria-label="Inbox view"
          value={filter.box}
          onChange={(box) => change({ box })}
          data={[
            { value: 'received', label: 'To you' },
            { value: 'sent', label: 'From you' },
            { value: 'agents', label: 'Between agents' },
            { value: 'all', label: 'All' },
          ]}
        />
      }
      isFolded
      isInUse={messageUrl.isFiltered({ ...filter, q: '' })}
      onClear={messageUrl.isFiltered(filter) ? () => change(messageUrl.noFilter) : undefined}
    >
      <FilterFields filter={filter} change={change} />
    </FilterBar>
  )
}

function FilterFields({ filter, change }: { filter: MessageFilter; change: Props['setFilter'] }) {
  const { vaults, vault } = useVaults()
  return (
    <>
      <FilterSelect
        label="State"
        value={filter.status}
        options={states}
        onChange={(status) => change({ status })}
        width={165}
      />
      <FilterSelect
        label="Category"
        value={filter.category}
        options={categoryOptions}
        onChange={(category) => change({ category })}
        width={140}
      />
      <FilterSelect
        label="Priority"
        value={filter.priority === 0 ? '' : String(filter.priority)}
        options={minPriorities}
        onChange={(priority) => change({ priority: Number(priority) })}
        width={140}
      />
      <AgentSelect vaultId={vault?.id} value={filter.agent} onChange={(agent) => change({ agent })} />
      {vaults.length > 1 && (
        <FilterSelect
          label="Vault"
          placeholder="All vaults"
          value={filter.vault}
          options={vaults.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => change({ vault: id })}
          width={150}
        />
      )}
    </>
  )
}

interface AgentProps {
  vaultId: string | undefined
  value: string
  onChange: (agent: string) => void
}

function AgentSelect({ vaultId, value, onChange }: AgentProps) {
  const names = useAgentNames(vaultId, value === '' ? [] : [value])
  return (
    <FilterSelect
      label="Agent"
      value={value}
      options={names}
      onChange={(agent) => onChange(agent)}
      width={150}
      isSearchable
    />
  )
}

const states = [
  { value: 'pending', label: 'Not acknowledged' },
  { value: 'acknowledged', label: 'Acknowledged' },
]

const minPriorities = priorityOptions
  .filter(({ value }) => value !== '1')
  .map(({ value, label }) => ({ value, label: value === '5' ? label : `${label} or higher` }))
