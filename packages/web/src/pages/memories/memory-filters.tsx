import {
  Button,
  Checkbox,
  CloseButton,
  Collapse,
  Group,
  SegmentedControl,
  Select,
  Text,
  TextInput,
} from '@mantine/core'
import { useDebouncedCallback, useDisclosure, useMediaQuery } from '@mantine/hooks'
import { Search, SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { useOperation } from '../../api/queries.ts'
import type { OutputOf } from '../../api/call.ts'
import { titleOfType } from '../../components/memory-types.tsx'
import { formatCount } from '../../components/time-text.ts'
import { isNarrowed, stateOf, withoutFilter, type MemoryFilter } from './memory-filter.ts'

type Facets = OutputOf<'count-memories'>

interface Props {
  vaultId: string
  filter: MemoryFilter
  setFilter: (changes: Partial<MemoryFilter>) => void
}

export function MemoryFilters({ vaultId, filter, setFilter }: Props) {
  const { data: facets } = useOperation('count-memories', { vaultId, archived: stateOf(filter) })
  const isNarrow = useMediaQuery('(max-width: 767px)', window.innerWidth < 768)
  const [isOpen, open] = useDisclosure(isNarrowed({ ...filter, q: '' }))
  const change = (changes: Partial<MemoryFilter>) => setFilter({ offset: 0, ...changes })
  // Nothing to choose from.
  if (facets?.archived.all === 0 && !isNarrowed(filter)) return null
  const narrowing = <Narrowing facets={facets} filter={filter} change={change} />
  return (
    <search>
      <Group gap="sm" mb="sm" align="center">
        <SearchBox value={filter.q} onChange={(q) => change({ q })} />
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

const typingPauseMs = 250

function SearchBox({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value)
  const [seen, setSeen] = useState(value)
  const [isTyping, setTyping] = useState(false)
  // Cleared from elsewhere, or another place in the history; what is being typed is never taken back.
  if (value !== seen) {
    setSeen(value)
    if (!isTyping) setTyped(value)
  }
  const tell = useDebouncedCallback(onChange, typingPauseMs)
  const set = (next: string) => {
    setTyped(next)
    tell(next)
  }
  return (
    <TextInput
      data-filter
      aria-label="Search memories"
      placeholder="Search by words or meaning"
      value={typed}
      onChange={({ currentTarget }) => set(currentTarget.value)}
      onFocus={() => setTyping(true)}
      onBlur={() => setTyping(false)}
      leftSection={<Search size={15} aria-hidden />}
      rightSection={typed !== '' && <CloseButton size="sm" aria-label="Clear the search" onClick={() => set('')} />}
      maxLength={1000}
      flex="1 1 240px"
      maw={420}
    />
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
      onChange={(archived) => change({ archived })}
      data={[
        { value: 'live', label: label('Live', facets?.archived.live) },
        { value: 'archived', label: label('Archived', facets?.archived.archived) },
        { value: 'all', label: label('All', facets?.archived.all) },
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

interface FacetProps {
  label: string
  value: string
  options: readonly { value: string; label: string; count: number }[] | undefined
  onChange: (value: string) => void
}

const noOptions: NonNullable<FacetProps['options']> = []

function FacetSelect({ label, value, options = noOptions, onChange }: FacetProps) {
  const counts = new Map(options.map((option) => [option.value, option.count]))
  const data = options.map((option) => ({ value: option.value, label: option.label }))
  // What the URL names may stand for too few to be among the counted.
  const isMissing = value !== '' && !counts.has(value)
  return (
    <Select
      aria-label={label}
      placeholder={label}
      searchable
      clearable
      w={140}
      value={value === '' ? null : value}
      data={isMissing ? [{ value, label: value }, ...data] : data}
      onChange={(next) => onChange(next ?? '')}
      nothingFoundMessage="None"
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      renderOption={({ option }) => (
        <Group justify="space-between" gap="lg" flex={1} wrap="nowrap" maw={320}>
          <span>{option.label}</span>
          <Text span size="xs" c="dimmed">
            {formatCount(counts.get(option.value) ?? 0)}
          </Text>
        </Group>
      )}
    />
  )
}
