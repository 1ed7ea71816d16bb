import { Skeleton, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useOperation } from '../../api/queries.ts'
import { useNow } from '../../components/text/moment.tsx'
import { InVault, Page } from '../../components/frame/page.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { ActiveRuns, useActiveRuns } from './active-runs.tsx'
import { AgentsToday } from './agents-today.tsx'
import { Counts } from './counts.tsx'
import { DayStrip } from './day-strip.tsx'
import { HealthLine } from './health-line.tsx'
import classes from './home-page.module.css'
import { LatestMemories, useLatestMemories } from './latest-memories.tsx'
import { dayBegan, type Overview as Read } from './overview.ts'
import { SetupSteps, useFirstAgents } from './setup-steps.tsx'
import { Waiting } from './waiting.tsx'
import { useWaitingChecks } from './waiting-checks.tsx'
import { useWaitingMessages } from './waiting-messages.tsx'
import { useWaitingReview } from './use-waiting-review.ts'
import { OnlyFor, ViewerNote } from '../../components/frame/only-for.tsx'
import { useMay } from '../../shell/role.ts'

export function HomePage() {
  return (
    <Page title="Home">
      <ViewerNote />
      <InVault>{({ id }) => <Overview vaultId={id} />}</InVault>
    </Page>
  )
}

function Overview({ vaultId }: { vaultId: string }) {
  const since = dayBegan(useNow())
  const found = useOperation('read-overview', { vaultId, since })
  const hasParts = useHasParts(vaultId)
  const isOwner = useMay('owner')
  const isLate = useIsLate()
  const isOnPhone = useMediaQuery('(max-width: 600px)', window.innerWidth <= 600)
  // Until everything is here, nothing is shown, so that no part pushes another one away. A slow part doesn't hide the others for long.
  if (!hasParts && !isLate && found.error === null) return <HomeSkeleton />
  return (
    <Loaded query={found} skeleton={<HomeSkeleton />}>
      {({ overview, overview: { health, counts, days, agents, waiting } }) => (
        <Stack gap="xl">
          <OnlyFor needs="owner">
            <SetupSteps counts={counts} />
          </OnlyFor>
          {!(isOwner && isNew(overview)) && (
            <>
              {isOnPhone && <Waiting vaultId={vaultId} waiting={waiting} />}
              <div className={classes.top}>
                <Counts counts={counts} />
                {days.some(({ written, recalls }) => written + recalls > 0) && <DayStrip days={days} />}
              </div>
              <div className={classes.columns}>
                <Stack gap="xl">
                  {!isOnPhone && <Waiting vaultId={vaultId} waiting={waiting} />}
                  {counts.memories.total > 0 && <LatestMemories vaultId={vaultId} />}
                </Stack>
                <Stack gap="xl">
                  <ActiveRuns vaultId={vaultId} />
                  <AgentsToday agents={agents} />
                </Stack>
              </div>
            </>
          )}
          <HealthLine health={health} />
        </Stack>
      )}
    </Loaded>
  )
}

/** Whether nothing has happened in the vault yet. Its owner then only sees how to start. */
const isNew = ({
  counts: { memories, notes, tasks },
  days,
  agents,
  waiting: { messages, expiringKeys },
}: Read): boolean =>
  memories.total + memories.archived + notes.total + tasks.open + messages + agents.length + expiringKeys.length ===
    0 && days.every(({ written, recalls }) => written + recalls === 0)

/** Asks for all parts of the page at once. Whether each has arrived, or failed. */
function useHasParts(vaultId: string): boolean {
  const parts: Pick<UseQueryResult, 'isPending'>[] = [
    useFirstAgents(),
    useWaitingMessages(),
    useWaitingChecks(),
    useWaitingReview(vaultId),
    useLatestMemories(vaultId),
    useActiveRuns(vaultId),
  ]
  return parts.every(({ isPending }) => !isPending)
}

const patienceMs = 1_000

/** Whether the page has been open for longer than people wait for its slowest part. */
function useIsLate(): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  return isLate
}

/** Has the places of the loaded page. */
function HomeSkeleton() {
  return (
    <Stack gap="xl" role="group" aria-busy="true" aria-label="Loading">
      <div className={classes.top}>
        <div className={classes.counts}>
          <Skeleton height={106} radius="lg" />
          <Skeleton height={106} radius="lg" />
          <Skeleton height={106} radius="lg" />
        </div>
        <Skeleton height={134} radius="lg" />
      </div>
      <div className={classes.columns}>
        <Skeleton height={480} radius="lg" />
        <Skeleton height={280} radius="lg" />
      </div>
    </Stack>
  )
}
