import { Text, Title } from '@mantine/core'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { countOf, formatCount } from '../../components/text/time-text.ts'
import { Charted } from './charted.tsx'
import { ColumnChart } from './column-chart.tsx'
import { CountTable } from './count-table.tsx'
import { formatPeriod, formatPlace } from './format-period.ts'
import type { Range } from './shown-range.ts'
import { useUsage } from './usage-parts.ts'

const parts = [{ name: 'created', label: 'Created', color: 'var(--hf-chart-3)' }]

/** When today's memories were created. */
export function MemoriesSection({ range }: { range: Range }) {
  const memories = useUsage('memories', range)
  return (
    <Loaded query={memories}>
      {({ memories: { series } }) => {
        const endTotal = series.at(-1)?.total ?? 0
        const newCount = series.reduce((sum, { created }) => sum + created, 0)
        // An empty chart says nothing.
        if (newCount === 0)
          return (
            <section aria-label="Memories">
              <Title order={2} mb="sm">
                Memories
              </Title>
              <Text c="dimmed">
                No memories were created in this period. At its end, there were {formatCount(endTotal)} in all vaults.
              </Text>
            </section>
          )
        const named = series.map((each) => ({ ...each, name: formatPeriod(each.start, range.bucket) }))
        const columns = named.map(({ name, start, created }) => ({
          label: name,
          place: formatPlace(start, range.bucket),
          values: [created],
        }))
        const rows = named.map(({ name, created, total }) => ({ name, counts: [created, total] }))
        return (
          <Charted
            title="Memories"
            chart={<ColumnChart parts={parts} columns={columns} unit="memories" />}
            table={
              <CountTable label="Memories over time" heads={['From', 'Created', 'Total']} rows={rows.toReversed()} />
            }
          >
            <Text c="dimmed" mb="sm">
              {countOf(newCount, 'memory', 'memories')} created in this period, {formatCount(endTotal)} in total at its
              end, in all vaults. Includes tasks and archived memories, but not deleted ones.
            </Text>
          </Charted>
        )
      }}
    </Loaded>
  )
}
