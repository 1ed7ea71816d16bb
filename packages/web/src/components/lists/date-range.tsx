import { Button, Group, Popover, Stack, TextInput } from '@mantine/core'
import { CalendarDays } from 'lucide-react'
import { dayOf, formatDays } from '../text/days.ts'

interface Props {
  /** What happened in these days, such as "Created". */
  label: string
  /** Days as in the URL; '' for no bound. */
  from: string
  to: string
  onChange: (days: { from: string; to: string }) => void
}

/** Filters a list by the days in which something happened. */
export function DateRange({ label, from, to, onChange }: Props) {
  const isSet = from !== '' || to !== ''
  return (
    <Popover position="bottom-start" shadow="md" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          c={isSet ? 'var(--mantine-color-text)' : 'var(--mantine-color-placeholder)'}
          styles={{ root: { borderColor: 'var(--mantine-color-default-border)' }, label: { fontWeight: 400 } }}
          leftSection={<CalendarDays size={15} aria-hidden />}
        >
          {isSet ? `${label} ${formatDays(from, to)}` : label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <Group gap="xs">
            {spans.map(({ title, days }) => (
              <Button key={title} size="xs" variant="default" onClick={() => onChange({ from: daysAgo(days), to: '' })}>
                {title}
              </Button>
            ))}
          </Group>
          <Group gap="xs" grow>
            <DayInput label="From" value={from} onChange={(day) => onChange({ from: day, to })} />
            <DayInput label="To" value={to} onChange={(day) => onChange({ from, to: day })} />
          </Group>
          <Button size="xs" variant="subtle" disabled={!isSet} onClick={() => onChange({ from: '', to: '' })}>
            Any time
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

const spans = [
  { title: 'Today', days: 0 },
  { title: 'Last 7 days', days: 6 },
  { title: 'Last 30 days', days: 29 },
]

function daysAgo(days: number): string {
  const now = new Date()
  return dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days))
}

const DayInput = ({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) => (
  <TextInput type="date" label={label} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
)
