import {
  Button,
  Checkbox,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Slider,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import { typeOptions } from '../../components/records/memory-marks.tsx'
import { labUrl, type LabState, type SetLab } from './lab-state.ts'

interface Props {
  state: LabState
  setState: SetLab
  /** The parameters of the last search, shown where none is set. */
  used: { threshold: number; diversity: number; decayHalfLife: number } | undefined
}

const kinds = [
  { value: 'memory', label: 'Memories' },
  { value: 'note', label: 'Notes' },
  { value: 'both', label: 'Memories and notes' },
]

const importances = ['2', '3', '4', '5'].map((value) => ({
  value,
  label: value === '5' ? '5 (vital)' : `${value} or higher`,
}))

/** All parameters of a search. Unset ones use the vault's defaults. */
export function SearchControls({ state, setState, used }: Props) {
  const { topK, threshold, diversity, halfLife, type, importance, archived, asOf } = state
  return (
    <Stack gap="md">
      <NumberInput
        label="Number of results"
        min={1}
        max={50}
        value={topK}
        onChange={(value) => typeof value === 'number' && value >= 1 && value <= 50 && setState({ topK: value })}
      />
      <Share
        label="Threshold"
        hint="Hides results found by meaning alone below this similarity. Up to 0.4, the closest ones are shown if words match little"
        value={threshold}
        preset={used?.threshold ?? 0.4}
        onChange={(value) => setState({ threshold: value })}
      />
      <Share
        label="Diversity"
        hint="0 sorts by score only"
        value={diversity}
        preset={used?.diversity ?? 0.7}
        onChange={(value) => setState({ diversity: value })}
      />
      <NumberInput
        data-default
        label="Recency half-life (days)"
        placeholder={used === undefined ? 'Vault default' : `${used.decayHalfLife} (vault default)`}
        min={1}
        max={36_500}
        value={halfLife === 0 ? '' : halfLife}
        onChange={(value) => setState({ halfLife: typeof value === 'number' ? value : 0 })}
      />
      <Select
        label="Search in"
        data={kinds}
        allowDeselect={false}
        value={state.kinds}
        onChange={(value) => setState({ kinds: value ?? 'memory' })}
      />
      <MultiSelect
        data-default
        label="Types"
        placeholder={type === '' ? 'All' : ''}
        data={typeOptions}
        value={type === '' ? [] : type.split(',')}
        onChange={(value) => setState({ type: value.join(',') })}
      />
      <Select
        data-default
        label="Importance"
        placeholder="Any"
        clearable
        data={importances}
        value={importance === 0 ? null : String(importance)}
        onChange={(value) => setState({ importance: Number(value ?? 0) })}
      />
      <TextInput
        type="datetime-local"
        label="As of"
        description="Search the vault as it was at this time."
        value={asOf}
        onChange={({ currentTarget }) => setState({ asOf: currentTarget.value })}
      />
      <Checkbox
        label="Include archived"
        checked={archived}
        onChange={({ currentTarget }) => setState({ archived: currentTarget.checked })}
      />
      {isChanged(state) && (
        <Group>
          <Button size="compact-sm" variant="subtle" onClick={() => setState({ ...labUrl.defaults, ...others(state) })}>
            Reset to vault defaults
          </Button>
        </Group>
      )}
    </Stack>
  )
}

/** What isn't a parameter of the search. */
const others = ({ q, why, tab }: LabState) => ({ q, why, tab })

const isChanged = (state: LabState) =>
  Object.keys(labUrl.write({}, { ...state, ...others(labUrl.defaults) })).length > 0

interface ShareProps {
  label: string
  hint: string
  /** -1: the vault's default. */
  value: number
  preset: number
  onChange: (value: number) => void
}

function Share({ label, hint, value, preset, onChange }: ShareProps) {
  const [dragged, setDragged] = useState<number>()
  const current = dragged ?? (value < 0 ? preset : value)
  return (
    <div>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <Text size="sm" {...(value < 0 && { c: 'dimmed' })}>
          {current.toFixed(2)}
        </Text>
      </Group>
      <Text size="xs" c="dimmed" mb={6}>
        {hint}
      </Text>
      <Slider
        thumbLabel={label}
        label={null}
        min={0}
        max={1}
        step={0.05}
        value={current}
        onChange={setDragged}
        onChangeEnd={(end) => {
          setDragged(undefined)
          onChange(end)
        }}
      />
    </div>
  )
}
