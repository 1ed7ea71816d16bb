import { Stack } from '@mantine/core'
import { ChartColumn } from 'lucide-react'
import { usePage } from '../../api/queries.ts'
import { useNow } from '../../components/text/moment.tsx'
import { ConnectAgent, EmptyState } from '../../components/feedback/empty-state.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Page } from '../../components/frame/page.tsx'
import { useUrlState } from '../../shell/url-state.ts'
import { CallsSection } from './calls-section.tsx'
import { CsvMenu } from './csv-menu.tsx'
import { MemoriesSection } from './memories-section.tsx'
import { MonthsSection } from './months-section.tsx'
import { RangeBar } from './range-bar.tsx'
import { rangeOf, usageUrl } from './shown-range.ts'
import { StorageSection } from './storage-section.tsx'
import { useUsage, type Usage } from './usage-parts.ts'
import { holdfast } from '../../command-line.ts'

const maxAgents = 100

/** The current month is listed before its first call. */
const hasCalls = ({ months }: Usage<'units'>): boolean =>
  months.some(({ units, embeddingTokens }) => embeddingTokens > 0 || Object.values(units).some((count) => count > 0))

export function UsagePage() {
  const [shown, setShown] = useUrlState(usageUrl)
  const range = rangeOf(shown, useNow())
  const usage = useUsage('units')
  const agents = usePage('list-integrations', { limit: maxAgents }, { enabled: shown.agent !== '' })
  const agentLabel = agents.data?.integrations.find(({ id }) => id === shown.agent)?.label
  const isUsed = usage.data !== undefined && hasCalls(usage.data.units)
  return (
    <Page
      title="Usage"
      lead="What your agents called, how fast the server responded, and how much your vaults store. Days are in UTC."
      actions={isUsed && !('problem' in range) && <CsvMenu shown={shown} range={range} />}
    >
      <Loaded query={usage}>
        {({ units }) =>
          !hasCalls(units) ? (
            <EmptyState
              icon={ChartColumn}
              action={<ConnectAgent />}
              command={holdfast("remember 'I prefer tabs to spaces.'")}
            >
              No calls yet. Connect an agent, and its calls are counted here.
            </EmptyState>
          ) : (
            <>
              <RangeBar shown={shown} setShown={setShown} range={range} agentLabel={agentLabel} />
              <Stack gap={40}>
                {!('problem' in range) && (
                  <>
                    <CallsSection shown={shown} setShown={setShown} range={range} />
                    <MemoriesSection range={range} />
                  </>
                )}
                <StorageSection />
                <MonthsSection usage={units} />
              </Stack>
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
