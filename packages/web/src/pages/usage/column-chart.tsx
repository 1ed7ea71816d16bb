import { Group, Text } from '@mantine/core'
import { formatCount } from '../../components/text/time-text.ts'
import styles from './column-chart.module.css'

interface ChartPart {
  name: string
  label: string
  color: string
}

interface ChartColumn {
  label: string
  /** The same on the axis. */
  place: string
  /** One value per part. */
  values: readonly number[]
}

interface Props {
  parts: readonly ChartPart[]
  /** Oldest first. */
  columns: readonly ChartColumn[]
  /** What is counted, such as `calls`. */
  unit: string
}

const denseFrom = 60

/** Stacked columns. Hidden from screen readers, which get the table with the same data. */
export function ColumnChart({ parts, columns, unit }: Props) {
  // A color that the chart doesn't show needs no words, nor does the only one.
  const used = parts.filter((_, part) => columns.some(({ values }) => (values[part] ?? 0) > 0))
  const legend = used.length > 1 ? used : []
  const sums = columns.map(({ values }) => values.reduce((sum, value) => sum + value, 0))
  const highest = Math.max(1, ...sums)
  const [first, last] = [columns[0], columns.at(-1)]
  const middle = columns[Math.floor((columns.length - 1) / 2)]
  return (
    <div aria-hidden>
      <Group justify="space-between" mb={6}>
        <Group gap="md">
          {legend.map(({ name, label, color }) => (
            <Group key={name} gap={6}>
              <span className={styles.swatch} style={{ background: color }} />
              <Text size="sm">{label}</Text>
            </Group>
          ))}
        </Group>
        <Text size="xs" c="dimmed">
          Highest: {formatCount(Math.max(0, ...sums))}
        </Text>
      </Group>
      <div className={styles.chart} data-dense={columns.length >= denseFrom}>
        {columns.map(({ label, values }, at) => (
          <div key={label} className={styles.column} title={`${label}: ${formatCount(sums[at] ?? 0)} ${unit}`}>
            <div
              className={styles.bar}
              data-filled={(sums[at] ?? 0) > 0}
              style={{ height: `${((sums[at] ?? 0) / highest) * 100}%` }}
            >
              {parts.map(({ name, color }, part) => (
                <span key={name} style={{ flexGrow: values[part] ?? 0, background: color }} />
              ))}
            </div>
          </div>
        ))}
      </div>
      <div className={styles.labels} data-few={columns.length <= 3}>
        {[...new Set([first, middle, last])].map((column) => (
          <Text key={column?.label ?? ''} size="xs" c="dimmed">
            {column?.place}
          </Text>
        ))}
      </div>
    </div>
  )
}
