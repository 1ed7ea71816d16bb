import { Text } from '@mantine/core'
import { useNarrowed } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { countOf, formatCount } from '../../components/text/time-text.ts'
import { Charted } from './charted.tsx'
import { ColumnChart } from './column-chart.tsx'
import { CountTable } from './count-table.tsx'
import type { Range } from './shown-range.ts'

const parts = [{ name: 'created', label: 'Made', color: 'var(--hf-chart-3)' }]

/** When the memories were made that are there today. */
export function MemoriesSection({ range }: { range: Range }) {
  const memories = useNarrowed('usage-memories', range)
  return (
    <Loaded query={memories}>
      {({ series }) => {
        const made = series.reduce((sum, { created }) => sum + created, 0)
        const columns = series.map(({ start, created }) => ({ label: start, values: [created] }))
        const rows = series.map(({ start, created, total }) => ({ name: start, counts: [created, total] }))
        return (
          <Charted
            title="Memories"
            chart={<ColumnChart parts={parts} columns={columns} unit="memories" />}
            table={
              <CountTable label="Memories over time" heads={['From', 'Made', 'In all']} rows={rows.toReversed()} />
            }
          >
            <Text c="dimmed" mb="sm">
              {countOf(made, 'memory', 'memories')} of these days, {formatCount(series.at(-1)?.total ?? 0)} at their
              end, in all vaults. Tasks and what is archived count; what was deleted for good does not.
            </Text>
          </Charted>
        )
      }}
    </Loaded>
  )
}
