import { Stack } from '@mantine/core'
import { useOperation } from '../../api/queries.ts'
import { useNow } from '../../components/text/moment.tsx'
import { InVault, Page } from '../../components/frame/page.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { ActiveRuns } from './active-runs.tsx'
import { AgentsToday } from './agents-today.tsx'
import { Counts } from './counts.tsx'
import { DayStrip } from './day-strip.tsx'
import { HealthLine } from './health-line.tsx'
import classes from './home-page.module.css'
import { LatestMemories } from './latest-memories.tsx'
import { dayBegan } from './overview.ts'
import { SetupSteps } from './setup-steps.tsx'
import { Waiting } from './waiting.tsx'
import { OnlyFor, ViewerNote } from '../../components/frame/only-for.tsx'

export function HomePage() {
  return (
    <Page title="Home" lead="Your vault at a glance.">
      <ViewerNote />
      <InVault>{({ id }) => <Overview vaultId={id} />}</InVault>
    </Page>
  )
}

function Overview({ vaultId }: { vaultId: string }) {
  const since = dayBegan(useNow())
  const found = useOperation('read-overview', { vaultId, since })
  return (
    <Loaded query={found}>
      {({ overview: { health, counts, days, agents, waiting } }) => (
        <Stack gap="xl">
          <OnlyFor needs="owner">
            <SetupSteps counts={counts} />
          </OnlyFor>
          <div className={classes.top}>
            <Counts counts={counts} />
            <DayStrip days={days} />
          </div>
          <div className={classes.columns}>
            <Stack gap="xl">
              <Waiting vaultId={vaultId} waiting={waiting} />
              {counts.memories.total > 0 && <LatestMemories vaultId={vaultId} />}
            </Stack>
            <Stack gap="xl">
              <ActiveRuns vaultId={vaultId} />
              <AgentsToday agents={agents} />
            </Stack>
          </div>
          <HealthLine health={health} />
        </Stack>
      )}
    </Loaded>
  )
}
