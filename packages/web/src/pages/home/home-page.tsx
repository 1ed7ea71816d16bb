import { Stack } from '@mantine/core'
import { useOperation } from '../../api/queries.ts'
import { useNow } from '../../components/text/moment.tsx'
import { InVault, Page } from '../../components/frame/page.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { AgentsToday } from './agents-today.tsx'
import { Counts } from './counts.tsx'
import { HealthStrip } from './health-strip.tsx'
import classes from './home-page.module.css'
import { dayBegan } from './overview.ts'
import { SetupSteps } from './setup-steps.tsx'
import { Waiting } from './waiting.tsx'

export function HomePage() {
  return (
    <Page title="Home" lead="Your vault at a glance, and what needs your attention.">
      <InVault>{({ id }) => <Overview vaultId={id} />}</InVault>
    </Page>
  )
}

function Overview({ vaultId }: { vaultId: string }) {
  const since = dayBegan(useNow())
  const found = useOperation('read-overview', { vaultId, since })
  return (
    <Loaded query={found}>
      {({ overview: { health, counts, agents, waiting } }) => (
        <Stack gap="xl">
          <HealthStrip health={health} />
          <SetupSteps counts={counts} />
          <Counts counts={counts} />
          <div className={classes.columns}>
            <Waiting waiting={waiting} />
            <AgentsToday agents={agents} />
          </div>
        </Stack>
      )}
    </Loaded>
  )
}
