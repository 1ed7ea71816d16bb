import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/queries.ts'
import { EmbeddingsState, StateBadge } from '../../components/feedback/state-badge.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { countOf } from '../../components/text/time-text.ts'
import { useReachable } from '../../api/reachability.ts'
import type { Overview } from './overview.ts'
import classes from './home-page.module.css'

/** Whether all is in order, in a line. */
export function HealthStrip({ health }: Pick<Overview, 'health'>) {
  const { data: system } = useOperation('system', {})
  const isReachable = useReachable()
  const { pendingVectors } = health
  return (
    <dl className={classes.strip} aria-label="Health">
      <Sign name="Server">
        {isReachable ? (
          <StateBadge tone="good">{system === undefined ? 'Running' : `Running, ${system.version}`}</StateBadge>
        ) : (
          <StateBadge tone="bad">Does not answer</StateBadge>
        )}
      </Sign>
      <Sign name="Search by meaning">{system !== undefined && <EmbeddingsState embeddings={system.embeddings} />}</Sign>
      <LastBackup />
      {health.embeddings !== null && (
        <Sign name="Queue">
          {pendingVectors === 0 ? (
            <StateBadge tone="good">Everything is indexed</StateBadge>
          ) : (
            <StateBadge tone="waiting">{`${countOf(pendingVectors, 'record waits', 'records wait')} for the index`}</StateBadge>
          )}
        </Sign>
      )}
    </dl>
  )
}

/** For the owner, of a store that the server backs up itself. */
function LastBackup() {
  const { data } = useOperation('list-backups', {})
  if (data === undefined || data.backups === null || data.backups.command !== null) return null
  const { items, lastFailure } = data.backups
  const latest = items.find(({ problem }) => problem === null)
  const isBad = lastFailure !== null || items.some(({ problem }) => problem !== null)
  return (
    <Sign name="Last backup">
      <Link to="/settings/backups">
        {isBad ? (
          <StateBadge tone="bad">Look at it</StateBadge>
        ) : latest === undefined ? (
          <StateBadge tone="warning">None yet</StateBadge>
        ) : (
          <Moment at={latest.createdAt} />
        )}
      </Link>
    </Sign>
  )
}

function Sign({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
