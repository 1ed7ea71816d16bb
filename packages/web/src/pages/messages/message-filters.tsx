import { Button, Collapse, Group, SegmentedControl, Select } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { SlidersHorizontal } from 'lucide-react'
import { useAgentNames } from '../../components/agent-names.ts'
import { priorityOptions } from '../../components/priority-mark.tsx'
import { useVaults } from '../../shell/vault.ts'
import { boxOf, isNarrowed, withoutFilter, type MessageFilter } from './message-filter.ts'
import { categoryOptions } from './message-looks.tsx'

interface Props {
  filter: MessageFilter
  setFilter: (changes: Partial<MessageFilter>) => void
}

export function MessageFilters({ filter, setFilter }: Props) {
  const isNarrow = useMediaQuery('(max-width: 767px)', window.innerWidth < 768)
  const [isOpen, open] = useDisclosure(isNarrowed(filter))
  const change = (changes: Partial<MessageFilter>) => setFilter({ offset: 0, ...changes })
  const narrowing = <Narrowing filter={filter} change={change} />
  return (
    <search>
      <Group gap="sm" mb="sm" align="center">
        <SegmentedControl
          aria-label="Which messages"
          value={boxOf(filter)}
          onChange={(box) => change({ box })}
          data={[
            { value: 'received', label: 'To you' },
            { value: 'sent', label: 'From you' },
            { value: 'agents', label: 'Among agents' },
            { value: 'all', label: 'All' },
          ]}
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

function Narrowing({ filter, change }: { filter: MessageFilter; change: Props['setFilter'] }) {
  const { vaults, vault } = useVaults()
  return (
    <Group gap="xs" align="center">
      <Select
        aria-label="State"
        placeholder="State"
        clearable
        w={165}
        value={filter.status === '' ? null : filter.status}
        data={states}
        onChange={(status) => change({ status: status ?? '' })}
      />
      <Select
        aria-label="Category"
        placeholder="Category"
        clearable
        w={140}
        value={filter.category === '' ? null : filter.category}
        data={categoryOptions}
        onChange={(category) => change({ category: category ?? '' })}
      />
      <Select
        aria-label="Priority"
        placeholder="Priority"
        clearable
        w={140}
        value={filter.priority === 0 ? null : String(filter.priority)}
        data={leastPriorities}
        onChange={(priority) => change({ priority: Number(priority ?? 0) })}
      />
      <AgentSelect vaultId={vault?.id} value={filter.agent} onChange={(agent) => change({ agent })} />
      {vaults.length > 1 && (
        <Select
          aria-label="Vault"
          placeholder="All vaults"
          clearable
          w={150}
          value={filter.vault === '' ? null : filter.vault}
          data={vaults.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => change({ vault: id ?? '' })}
        />
      )}
      {isNarrowed(filter) && (
        <Button variant="subtle" size="compact-sm" onClick={() => change(withoutFilter)}>
          Clear all
        </Button>
      )}
    </Group>
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
    <Select
      aria-label="Agent"
      placeholder="Agent"
      searchable
      clearable
      w={150}
      value={value === '' ? null : value}
      data={names}
      onChange={(agent) => onChange(agent ?? '')}
      nothingFoundMessage="None"
    />
  )
}

const states = [
  { value: 'pending', label: 'Not acknowledged' },
  { value: 'acknowledged', label: 'Acknowledged' },
]

const leastPriorities = priorityOptions
  .filter(({ value }) => value !== '1')
  .map(({ value, label }) => ({ value, label: value === '5' ? label : `${label} and more` }))
