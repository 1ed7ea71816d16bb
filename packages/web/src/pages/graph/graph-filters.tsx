import { Button, Checkbox, Collapse, Group, Select, Text, TextInput } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { SlidersHorizontal } from 'lucide-react'
import { useOperation } from '../../api/queries.ts'
import { FacetSelect } from '../../components/facet-select.tsx'
import { typeOptions } from '../../components/memory-types.tsx'
import { relationTypes, titleOfRelation } from '../../components/relations.ts'
import { isNarrowed, withoutFilter, type ChangeState, type GraphState } from './graph-state.ts'

interface Props {
  vaultId: string
  state: GraphState
  setState: ChangeState
}

export function GraphFilters({ vaultId, state, setState }: Props) {
  const isNarrow = useMediaQuery('(max-width: 767px)', window.innerWidth < 768)
  const [isOpen, open] = useDisclosure(isNarrowed(state))
  const change: ChangeState = (changes) => setState({ offset: 0, ...changes })
  const fields = <Fields vaultId={vaultId} state={state} setState={change} />
  if (!isNarrow) return fields
  return (
    <>
      <Button
        variant="default"
        mb="sm"
        leftSection={<SlidersHorizontal size={15} aria-hidden />}
        aria-expanded={isOpen}
        onClick={open.toggle}
      >
        Filters
      </Button>
      <Collapse expanded={isOpen}>{fields}</Collapse>
    </>
  )
}

const kinds = [{ value: 'note', label: 'Note' }, ...typeOptions]
const relations = relationTypes.map((value) => ({ value, label: titleOfRelation(value) }))

function Fields({ vaultId, state, setState }: Props) {
  const { data: facets } = useOperation('count-memories', { vaultId, state: state.archived ? 'all' : 'live' })
  return (
    <Group gap="xs" mb="md" align="center" component="search">
      <Select
        aria-label="Type"
        placeholder="Type"
        clearable
        w={130}
        value={state.type === '' ? null : state.type}
        data={kinds}
        onChange={(type) => setState({ type: type ?? '' })}
      />
      <Select
        aria-label="Relation"
        placeholder="Relation"
        clearable
        w={140}
        value={state.relation === '' ? null : state.relation}
        data={relations}
        onChange={(relation) => setState({ relation: relation ?? '' })}
      />
      <FacetSelect
        label="Entity"
        value={state.entity}
        options={facets?.entities.map((each) => ({ ...each, label: each.value }))}
        onChange={(entity) => setState({ entity })}
      />
      <FacetSelect
        label="Agent"
        value={state.agent}
        options={facets?.agents.map((each) => ({ ...each, label: each.value === 'user' ? 'People' : each.value }))}
        onChange={(agent) => setState({ agent })}
      />
      <DayField label="Stored from" word="from" value={state.since} onChange={(since) => setState({ since })} />
      <DayField label="Stored until" word="until" value={state.until} onChange={(until) => setState({ until })} />
      <Checkbox
        label="With archived"
        checked={state.archived}
        onChange={({ currentTarget }) => setState({ archived: currentTarget.checked })}
      />
      {isNarrowed(state) && (
        <Button variant="subtle" size="compact-sm" onClick={() => setState(withoutFilter)}>
          Clear all
        </Button>
      )}
    </Group>
  )
}

interface DayProps {
  label: string
  word: string
  value: string
  onChange: (day: string) => void
}

const DayField = ({ label, word, value, onChange }: DayProps) => (
  <TextInput
    type="date"
    aria-label={label}
    w={175}
    leftSection={
      <Text size="sm" c="dimmed" aria-hidden>
        {word}
      </Text>
    }
    leftSectionWidth={46}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)
