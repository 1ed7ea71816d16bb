import { Stack, Text } from '@mantine/core'
import { formatDay } from '../../components/text/time-text.ts'
import { Charted } from './charted.tsx'
import { ColumnChart } from './column-chart.tsx'
import { CountTable } from './count-table.tsx'
import { formatPeriod, formatPlace } from './format-period.ts'
import { QuotaBars } from './quota-bars.tsx'
import { classes, currentMonth } from './units.ts'
import type { Usage } from './usage-parts.ts'

const maxMonths = 12

const hasQuota = ({ quotas }: Usage<'units'>): boolean => Object.values(quotas).some((quota) => quota > 0)

/** Units by month. Quotas count units: one per successful request. */
export function MonthsSection({ usage }: { usage: Usage<'units'> }) {
  const { months, resetsAt } = usage
  const current = currentMonth(usage)
  const isUsed = current !== undefined && classes.some(({ name }) => current.units[name] > 0)
  const columns = months
    .slice(0, maxMonths)
    .toReversed()
    .map(({ month, units }) => ({
      label: formatPeriod(month, 'month'),
      place: formatPlace(month, 'month'),
      values: classes.map(({ name }) => units[name]),
    }))
  const rows = months.map(({ month, units, embeddingTokens }) => ({
    name: formatPeriod(month, 'month'),
    counts: [...classes.map(({ name }) => units[name]), embeddingTokens],
  }))
  return (
    <Charted
      title="Units by month"
      chart={<ColumnChart parts={classes} columns={columns} unit="units" />}
      table={
        <CountTable
          label="Units by month"
          heads={['Month', ...classes.map(({ label }) => label), 'Embedding tokens']}
          rows={rows}
        />
      }
    >
      <Stack gap="sm" mb="lg">
        {(isUsed || hasQuota(usage)) && <QuotaBars usage={usage} />}
        <Text c="dimmed" size="sm">
          {!isUsed && 'No units used this month. '}A unit is a successful request. Counts reset on {formatDay(resetsAt)}
          .
        </Text>
      </Stack>
    </Charted>
  )
}
