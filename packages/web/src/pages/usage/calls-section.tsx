import { Button, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { ChartColumn } from 'lucide-react'
import { ConnectAgent, EmptyState } from '../../components/feedback/empty-state.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { countOf, formatCount, formatDuration } from '../../components/text/time-text.ts'
import { CallTable } from './call-table.tsx'
import { Charted } from './charted.tsx'
import { ColumnChart } from './column-chart.tsx'
import { CountTable } from './count-table.tsx'
import { Figure } from './figure.tsx'
import { formatPeriod, formatPlace } from './format-period.ts'
import { callsInput, longestPreset, type Range, type Shown } from './shown-range.ts'
import { useUsage, type Usage } from './usage-parts.ts'
import type { Changes } from '../../shell/url-state.ts'

interface Props {
  shown: Shown
  setShown: (changes: Changes<Shown>) => void
  range: Range
}

export function CallsSection({ shown, setShown, range }: Props) {
  const byOperation = useUsage('calls', callsInput(shown, range, 'operation'))
  const byAgent = useUsage('calls', callsInput(shown, range, 'agent'))
  return (
    <Loaded query={byOperation} skeleton={<CallsSkeleton />}>
      {({ calls: found }) =>
        found.total.calls === 0 ? (
          <NoCalls shown={shown} setShown={setShown} />
        ) : (
          <Stack gap="xl">
            <Figures found={found} />
            <CallChart series={found.series} bucket={range.bucket} />
            <section>
              <Title order={2} mb="sm">
                By operation
              </Title>
              <CallTable
                label="Calls by operation"
                head="Operation"
                rows={found.rows}
                onChoose={({ operation }) => setShown({ operation: operation ?? '' })}
              />
              {found.rowCount > found.rows.length && (
                <Text c="dimmed">Showing the {formatCount(found.rows.length)} operations with the most calls.</Text>
              )}
            </section>
            <section>
              <Title order={2} mb="sm">
                By agent
              </Title>
              <Loaded query={byAgent}>
                {({ calls: { rows } }) => (
                  <CallTable
                    label="Calls by agent"
                    head="Agent"
                    rows={rows}
                    onChoose={({ integrationId }) => setShown({ agent: integrationId ?? '' })}
                  />
                )}
              </Loaded>
              <Text c="dimmed" size="sm" mt="xs">
                Server-side times of successful calls, accurate to within 19%.
              </Text>
            </section>
          </Stack>
        )
      }
    </Loaded>
  )
}

/** A filter or a short period can be the reason, so the way out of it comes first. */
function NoCalls({ shown, setShown }: Pick<Props, 'shown' | 'setShown'>) {
  const isFiltered = shown.agent !== '' || shown.operation !== ''
  return (
    <EmptyState
      icon={ChartColumn}
      action={
        isFiltered ? (
          <Button variant="default" onClick={() => setShown({ agent: '', operation: '' })}>
            Clear the filter
          </Button>
        ) : shown.range === longestPreset ? (
          <ConnectAgent />
        ) : (
          <Button variant="default" onClick={() => setShown({ range: longestPreset })}>
            Show the last 90 days
          </Button>
        )
      }
    >
      {isFiltered
        ? 'No calls on these days match this filter.'
        : 'No calls on these days. Calls, their response times and the agents that make them appear here.'}
    </EmptyState>
  )
}

/** As high as what takes its place. */
function CallsSkeleton() {
  return (
    <Stack gap="xl" role="group" aria-busy="true" aria-label="Loading">
      <SimpleGrid cols={{ base: 2, lg: 4 }} spacing="sm">
        {[1, 2, 3, 4].map((at) => (
          <Skeleton key={at} height={104} radius="md" />
        ))}
      </SimpleGrid>
      <Skeleton height={250} radius="md" />
      <Skeleton height={600} radius="md" />
    </Stack>
  )
}

const duration = (ms: number | null) => (ms === null ? '–' : formatDuration(ms))

function Figures({ found: { total, sessionStart } }: { found: Usage<'calls'> }) {
  const { answers, p50Chars } = sessionStart
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing="sm">
      <Figure
        name="Calls"
        value={formatCount(total.calls)}
        note={`${formatCount(total.errors)} failed, ${formatCount(total.refused)} rejected`}
      />
      <Figure
        name="Median response"
        value={duration(total.p50Ms)}
        {...(total.p95Ms !== null && { note: `95% within ${formatDuration(total.p95Ms)}` })}
      />
      <Figure
        name="Median context"
        value={p50Chars === null ? '–' : formatCount(p50Chars)}
        {...(p50Chars !== null && { unit: 'characters' })}
        note={p50Chars === null ? 'No sessions' : countOf(answers, 'session')}
      />
      <Figure name="Embedding tokens" value={formatCount(total.embeddingTokens)} />
    </SimpleGrid>
  )
}

const parts = [
  { name: 'answered', label: 'Succeeded', color: 'var(--hf-chart-1)' },
  { name: 'failed', label: 'Failed', color: 'var(--hf-chart-2)' },
  { name: 'refused', label: 'Rejected', color: 'var(--hf-chart-4)' },
]

function CallChart({ series, bucket }: Pick<Usage<'calls'>, 'series'> & Pick<Range, 'bucket'>) {
  const columns = series.map(({ start, calls, errors, refused }) => ({
    label: formatPeriod(start, bucket),
    place: formatPlace(start, bucket),
    values: [calls - errors - refused, errors, refused],
  }))
  const rows = series.map(({ start, calls, errors, refused, embeddingTokens }) => ({
    name: formatPeriod(start, bucket),
    counts: [calls, errors, refused, embeddingTokens],
  }))
  return (
    <Charted
      title="Calls"
      chart={<ColumnChart parts={parts} columns={columns} unit="calls" />}
      table={
        <CountTable
          label="Calls over time"
          heads={['From', 'Calls', 'Failed', 'Rejected', 'Embedding tokens']}
          rows={rows.toReversed()}
        />
      }
    />
  )
}
