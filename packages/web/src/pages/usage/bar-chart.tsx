import type { UsageOutput } from '@holdfast/client/dashboard'
import { Group, Text } from '@mantine/core'
import { formatCount } from '../../components/time-text.ts'
import styles from './bar-chart.module.css'
import { classes, sumOf } from './units.ts'

const maxMonths = 12

/** Stacked bars, the oldest month first. The table below says the same in numbers, and is what screen readers get. */
export function BarChart({ months }: Pick<UsageOutput, 'months'>) {
  const shown = months.slice(0, maxMonths).toReversed()
  const highest = Math.max(1, ...shown.map(({ units }) => sumOf(units)))
  return (
    <div aria-hidden>
      <Group gap="md" mb="xs">
        {classes.map(({ name, label, color }) => (
          <Group key={name} gap={6}>
            <span className={styles.swatch} style={{ background: color }} />
            <Text size="sm">{label}</Text>
          </Group>
        ))}
      </Group>
      <div className={styles.chart}>
        {shown.map(({ month, units }) => (
          <div key={month} className={styles.column}>
            <Text size="xs" c="dimmed">
              {formatCount(sumOf(units))}
            </Text>
            <div className={styles.bar} style={{ height: `${(sumOf(units) / highest) * 160}px` }}>
              {classes.map(({ name, color }) => (
                <span key={name} style={{ flexGrow: units[name], background: color }} />
              ))}
            </div>
            <Text size="xs">{month}</Text>
          </div>
        ))}
      </div>
    </div>
  )
}
