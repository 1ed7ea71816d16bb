import { Anchor, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { usePage } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Moment, useNow } from '../../components/text/moment.tsx'
import { countOf } from '../../components/text/time-text.ts'
import { isActive, titleOfRun } from '../runs/run-work.ts'
import classes from './home-page.module.css'

const shown = 5
const stepMs = 5 * 60_000
const lookBackMs = 15 * 60_000

export function useActiveRuns(vaultId: string) {
  // In steps, so the query doesn't change with each tick of the clock.
  const seenFrom = new Date(Math.floor(useNow() / stepMs) * stepMs - lookBackMs).toISOString()
  return usePage('list-runs', { vaultId, ended: false, seenFrom, limit: shown })
}

/** The runs that agents work in right now. */
export function ActiveRuns({ vaultId }: { vaultId: string }) {
  const nowMs = useNow()
  const found = useActiveRuns(vaultId)
  return (
    <section>
      <Title order={2} mb="xs">
        Active runs
      </Title>
      <Loaded query={found}>
        {({ runs }) => {
          const active = runs.filter((run) => isActive(run, nowMs))
          if (active.length === 0) return <Text c="dimmed">No agent is working in this vault right now.</Text>
          return (
            <ul className={classes.list} aria-label="Active runs">
              {active.map((run) => (
                <li key={run.id} className={classes.item}>
                  <span className={classes.pulse} aria-hidden />
                  <div className={classes.text}>
                    <Anchor
                      c="inherit"
                      className={classes.line}
                      renderRoot={(props) => <Link {...props} to={`/runs/${run.id}`} />}
                    >
                      {run.currentActivity ?? titleOfRun(run)}
                    </Anchor>
                    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                      {run.agentId}, {countOf(run.toolCalls, 'call')}, last <Moment at={run.lastSeenAt} />
                    </Text>
                  </div>
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </section>
  )
}
