import type { Integration } from '@holdfast/client/dashboard'
import { Button, Checkbox, Collapse, Group, NumberInput, Select, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import classes from './context-page.module.css'
import { modes, previewUrl, vaultDefault, type PreviewState, type SetPreview } from './preview-state.ts'

interface Props {
  integrations: readonly Integration[]
  agent: string
  state: PreviewState
  setState: SetPreview
}

const counts = [
  { name: 'facts', label: 'Facts', max: 20 },
  { name: 'constraints', label: 'Constraints', max: 20 },
  { name: 'tasks', label: 'Tasks', max: 10 },
  { name: 'episodes', label: 'Episodes', max: 10 },
] as const

export function PreviewControls({ integrations, agent, state, setState }: Props) {
  const [hasLimits, limits] = useDisclosure(isLimited(state))
  return (
    <section className={classes.controls} aria-label="Preview settings">
      <QueryBox key={state.query} query={state.query} onQuery={(query) => setState({ query })} />
      <Select
        label="Agent"
        allowDeselect={false}
        data={integrations.map(({ id, label }) => ({ value: id, label }))}
        value={agent}
        onChange={(value) => setState({ agent: value ?? '' })}
      />
      <Select
        data-default
        label="Mode"
        placeholder={vaultDefault}
        clearable
        data={modes}
        value={state.mode === '' ? null : state.mode}
        onChange={(mode) => setState({ mode: mode ?? '' })}
      />
      <Select
        label="Compare with"
        placeholder="None"
        clearable
        data={modes}
        value={state.against === '' ? null : state.against}
        onChange={(against) => setState({ against: against ?? '' })}
      />
      <Button
        className={classes.limitsButton}
        variant={isLimited(state) ? 'light' : 'default'}
        leftSection={<SlidersHorizontal size={15} aria-hidden />}
        aria-expanded={hasLimits}
        onClick={limits.toggle}
      >
        Limits
      </Button>
      <Collapse expanded={hasLimits} className={classes.wide}>
        <Limits state={state} setState={setState} />
      </Collapse>
    </section>
  )
}

/** Whether something that the button hides is set. */
function isLimited(state: PreviewState): boolean {
  const { defaults } = previewUrl
  const names = [...counts.map(({ name }) => name), 'textChars', 'whole'] as const
  return names.some((name) => state[name] !== defaults[name])
}

/** How much of everything the agent gets at most. */
function Limits({ state, setState }: Pick<Props, 'state' | 'setState'>) {
  return (
    <div className={classes.limits}>
      {counts.map(({ name, label, max }) => (
        <NumberInput
          key={name}
          label={`Max ${label.toLowerCase()}`}
          placeholder="Set by mode"
          min={0}
          max={max}
          value={state[name] < 0 ? '' : state[name]}
          onChange={(value) => setState({ [name]: typeof value === 'number' && value <= max ? value : -1 })}
        />
      ))}
      <NumberInput
        label="Max characters"
        min={2000}
        max={100_000}
        step={1000}
        value={state.textChars}
        onChange={(value) =>
          typeof value === 'number' && value >= 2000 && value <= 100_000 && setState({ textChars: value })
        }
      />
      <Checkbox
        label="Full content"
        checked={state.whole}
        onChange={({ currentTarget }) => setState({ whole: currentTarget.checked })}
        pb={8}
      />
    </div>
  )
}

function QueryBox({ query, onQuery }: { query: string; onQuery: (query: string) => void }) {
  const [typed, setTyped] = useState(query)
  return (
    <form
      className={classes.wide}
      onSubmit={(event) => {
        event.preventDefault()
        onQuery(typed)
      }}
    >
      <Group gap="xs" align="end" wrap="nowrap">
        <TextInput
          data-filter
          label="Topic of the session"
          placeholder="Any topic"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          maxLength={10_000}
          enterKeyHint="go"
          flex={1}
        />
        {/* On phones, the key of the keyboard does it, and the topic has the room. */}
        <Button type="submit" visibleFrom="xs">
          Preview
        </Button>
      </Group>
    </form>
  )
}
