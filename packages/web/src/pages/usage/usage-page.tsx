import type { UsageOutput } from '@holdfast/client/dashboard'
import { Button, Group, Stack, Table, Text, Title } from '@mantine/core'
import { ChartColumn, Download } from 'lucide-react'
import { useOperation } from '../../api/queries.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { saveFile } from '../../components/save-file.ts'
import { formatCount, formatDay } from '../../components/time-text.ts'
import { BarChart } from './bar-chart.tsx'
import { printCsv } from './print-csv.ts'
import { QuotaBars } from './quota-bars.tsx'

export function UsagePage() {
  const usage = useOperation('usage', {})
  return (
    <Page
      title="Usage"
      lead="What your agents have asked for, in units: one for each request that was answered."
      actions={usage.data !== undefined && usage.data.months.length > 0 && <CsvButton usage={usage.data} />}
    >
      <Loaded query={usage}>
        {(found) =>
          found.months.length === 0 ? (
            <EmptyState icon={ChartColumn}>No agent has asked for anything yet.</EmptyState>
          ) : (
            <Stack gap="xl">
              <QuotaBars usage={found} />
              <section>
                <Title order={2} mb="sm">
                  By month
                </Title>
                <BarChart months={found.months} />
                <MonthTable months={found.months} />
              </section>
              <Text c="dimmed" size="sm">
                The next month begins on {formatDay(found.resetsAt)}. Months are those of UTC.
              </Text>
            </Stack>
          )
        }
      </Loaded>
    </Page>
  )
}

function MonthTable({ months }: Pick<UsageOutput, 'months'>) {
  return (
    <Table.ScrollContainer minWidth={640} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label="Units by month" mt="md">
        <Table.Thead>
          <Table.Tr>
            {['Month', 'Reads', 'Writes', 'Searches', 'Ingested', 'Embedding tokens'].map((head) => (
              <Table.Th key={head} scope="col" ta={head === 'Month' ? 'left' : 'right'}>
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {months.map(({ month, units, embeddingTokens }) => (
            <Table.Tr key={month}>
              <Table.Td>{month}</Table.Td>
              {[units.read, units.write, units.search, units.ingest, embeddingTokens].map((count, at) => (
                <Table.Td key={['read', 'write', 'search', 'ingest', 'tokens'][at]} ta="right">
                  {formatCount(count)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function CsvButton({ usage }: { usage: UsageOutput }) {
  const download = () => saveFile('holdfast-usage.csv', 'text/csv', printCsv(usage.months))
  return (
    <Group>
      <Button variant="default" leftSection={<Download size={16} aria-hidden />} onClick={download}>
        CSV
      </Button>
    </Group>
  )
}
