import { Text } from '@mantine/core'
import { formatCount, formatDay } from '../../components/text/time-text.ts'
import { useVaults } from '../../shell/vault.ts'
import classes from './day-strip.module.css'
import type { Overview } from './overview.ts'

/** What was written and recalled on each of the last 30 days. */
export function DayStrip({ days }: Pick<Overview, 'days'>) {
  // Recalls are counted for all vaults together.
  const isOne = useVaults().vaults.length === 1
  return (
    <section aria-label="Last 30 days" className={classes.strip}>
      <Bars
        title={isOne ? 'Written in 30 days' : 'Written in this vault in 30 days'}
        unit="written"
        tone="written"
        days={days.map(({ day, written }) => ({ day, count: written }))}
      />
      <Bars
        title={isOne ? 'Recalled in 30 days' : 'Recalled in all vaults in 30 days'}
        unit="recalls"
        tone="recalled"
        days={days.map(({ day, recalls }) => ({ day, count: recalls }))}
      />
    </section>
  )
}

interface Props {
  title: string
  unit: string
  tone: 'written' | 'recalled'
  days: readonly { day: string; count: number }[]
}

/** The bars repeat what the sum says, and Usage has the figures, so screen readers only get the sum. */
function Bars({ title, unit, tone, days }: Props) {
  const highest = Math.max(1, ...days.map(({ count }) => count))
  const sum = days.reduce((total, { count }) => total + count, 0)
  return (
    <div className={classes.row}>
      <Text size="sm" c="dimmed">
        {title}{' '}
        <Text span inherit fw={600} c="var(--mantine-color-text)">
          {formatCount(sum)}
        </Text>
      </Text>
      <div className={classes.bars} data-tone={tone} aria-hidden>
        {days.map(({ day, count }) => (
          <span key={day} title={`${formatDay(`${day}T12:00:00Z`)}: ${formatCount(count)} ${unit}`}>
            <span data-filled={count > 0} style={{ height: `${(count / highest) * 100}%` }} />
          </span>
        ))}
      </div>
    </div>
  )
}
