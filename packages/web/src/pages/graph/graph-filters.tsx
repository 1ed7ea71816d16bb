import { Button, Checkbox, Collapse, Group, Switch, Text, TextInput } from '@mantine/core'
import { useOperation } from '../../api/queries.ts'
import { FacetSelect, FilterSelect } from '../../components/lists/filters.tsx'
import { typeOptions } from '../../components/records/memory-marks.tsx'
import { relationTypes, titleOfRelation } from '../../components/records/relations.ts'
import { personBehind } from '../../components/records/people.ts'
import { type ChangeState, type GraphState, graphUrl } from './graph-state.ts'

interface Props {
  vaultId: string
  state: GraphState
  setState: ChangeState
}

/** Behind a button, because the map needs the room. */
export function GraphFilters({ vaultId, state, setState, isOpen }: Props & { isOpen: boolean }) {
  const change: ChangeState = (changes) => setState({ offset: 0, ...changes })
  return (
    <Collapse expanded={isOpen}>
      <search>
        <Group gap="xs" mb="sm">
          <Fields vaultId={vaultId} state={state} setState={change} />
          {graphUrl.isFiltered(state) && (
            <Button variant="subtle" size="compact-sm" onClick={() => change(graphUrl.noFilter)}>
              Clear all
            </Button>
          )}
        </Group>
      </search>
    </Collapse>
  )
}

const kinds = [{ value: 'note', label: 'Note' }, ...typeOptions]
const relations = relationTypes.map((value) => ({ value, label: titleOfRelation(value) }))

function Fields({ vaultId, state, setState }: Props) {
  const { data: facets } = useOperation('count-memories', { vaultId, state: state.archived ? 'all' : 'live' })
  return (
    <>
      <FilterSelect
        label="Type"
        value={state.type}
        options={kinds}
        onChange={(type) => setState({ type })}
        width={130}
      />
      <FilterSelect
        label="Relation"
        value={state.relation}
        options={relations}
        onChange={(relation) => setState({ relation })}
        width={140}
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
        options={facets?.agents.map((each) => ({
          ...each,
          label: each.value === 'user' ? 'People' : (personBehind(each.value) ?? each.value),
        }))}
        onChange={(agent) => setState({ agent })}
      />
      <DayField label="Created from" word="from" value={state.since} onChange={(since) => setState({ since })} />
      <DayField label="Created until" word="until" value={state.until} onChange={(until) => setState({ until })} />
      <Checkbox
        label="Include archived"
        checked={state.archived}
        onChange={({ currentTarget }) => setState({ archived: currentTarget.checked })}
      />
      <Switch
        label="Entities"
        checked={state.entities}
        onChange={({ currentTarget }) => setState({ entities: currentTarget.checked })}
      />
    </>
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
