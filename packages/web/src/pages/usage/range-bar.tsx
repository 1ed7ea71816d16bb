import { Button, Group, SegmentedControl, Text, TextInput } from '@mantine/core'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import classes from './range-bar.module.css'
import { nameOperation } from '../activity/activity-words.ts'
import { buckets, dayOf, ranges, type Range, type Shown } from './shown-range.ts'
import type { Changes } from '../../shell/url-state.ts'

interface Props {
  shown: Shown
  setShown: (changes: Changes<Shown>) => void
  /** The chosen days, or the problem with them. */
  range: Range | { problem: string }
  /** The label of the agent that the page is filtered by. */
  agentLabel: string | undefined
}

export function RangeBar({ shown, setShown, range, agentLabel }: Props) {
  const { agent, operation } = shown
  const { range: value } = shown
  return (
    <search>
      <Group gap="sm" mb="md" align="center">
        <SegmentedControl
          aria-label="Period"
          className={classes.period}
          data={[...ranges]}
          value={value}
          onChange={(next) => setShown(next === 'own' ? customPeriod(shown, range) : { range: next })}
        />
        <SegmentedControl
          aria-label="Group by"
          data={[...buckets]}
          value={shown.bucket}
          onChange={(bucket) => setShown({ bucket })}
        />
        {value === 'own' && <CustomDays shown={shown} setShown={setShown} />}
        {agent !== '' && <Chip onClear={() => setShown({ agent: '' })}>Agent: {agentLabel ?? agent.slice(-12)}</Chip>}
        {operation !== '' && (
          <Chip onClear={() => setShown({ operation: '' })}>Operation: {nameOperation(operation)}</Chip>
        )}
      </Group>
      {'problem' in range && (
        <Text c="red" mb="md" role="alert">
          {range.problem}
        </Text>
      )}
    </search>
  )
}

/** A custom period starts out as the one shown now. */
function customPeriod({ from, to }: Shown, range: Props['range']): Changes<Shown> {
  if ('problem' in range) return { range: 'own', from: from === '' ? dayOf(Date.now()) : from, to }
  return { range: 'own', from: range.from, to: range.to }
}

function CustomDays({ shown: { from, to }, setShown }: Pick<Props, 'shown' | 'setShown'>) {
  return (
    <Group gap="xs" wrap="nowrap">
      <TextInput
        type="date"
        aria-label="First day"
        value={from}
        max={to}
        onChange={({ currentTarget }) => setShown({ from: currentTarget.value })}
      />
      <Text c="dimmed">to</Text>
      <TextInput
        type="date"
        aria-label="Last day"
        value={to}
        min={from}
        onChange={({ currentTarget }) => setShown({ to: currentTarget.value })}
      />
    </Group>
  )
}

function Chip({ children, onClear }: { children: ReactNode; onClear: () => void }) {
  return (
    <Button variant="light" size="compact-sm" rightSection={<X size={14} aria-hidden />} onClick={onClear}>
      {children}
    </Button>
  )
}
