import type { ReactNode } from 'react'
import { useOperation } from '../../api/queries.ts'
import { EmbeddingsState } from '../../components/embeddings-state.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { countOf } from '../../components/time-text.ts'
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

function Sign({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
