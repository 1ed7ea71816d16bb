import type { ReadSystemOutput } from '@holdfast/client/dashboard'
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/queries.ts'
import { EmbeddingsState, StateBadge } from '../../components/feedback/state-badge.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { countOf } from '../../components/text/time-text.ts'
import { useReachable } from '../../api/reachability.ts'
import type { Overview } from './overview.ts'
import classes from './home-page.module.css'

/** The state of the server, search and backups in one small line. */
export function HealthLine({ health }: Pick<Overview, 'health'>) {
  const { data: system, isPending } = useOperation('read-system', {})
  const backups = useOperation('list-backups', {})
  const isReachable = useReachable()
  const { pendingVectors } = health
  // One step, because the parts are next to each other.
  if (isPending || backups.isPending) return <div className={classes.health} />
  return (
    <dl className={classes.health} aria-label="Health">
      <Status name="Server">
        {isReachable ? (
          <StateBadge tone="good">{system === undefined ? 'Running' : `Running, ${system.version}`}</StateBadge>
        ) : (
          <StateBadge tone="bad">Not responding</StateBadge>
        )}
      </Status>
      <Status name="Semantic search">{system !== undefined && <SearchState embeddings={system.embeddings} />}</Status>
      <LastBackup />
      {health.embeddings !== null && (
        <Status name="Indexing">
          {pendingVectors === 0 ? (
            <StateBadge tone="good">Everything is indexed</StateBadge>
          ) : (
            <StateBadge tone="waiting">{`${countOf(pendingVectors, 'record')} waiting`}</StateBadge>
          )}
        </Status>
      )}
    </dl>
  )
}

/** The model that makes the vectors is shown under Settings. */
const SearchState = ({ embeddings }: Pick<ReadSystemOutput, 'embeddings'>) =>
  embeddings?.failure === null ? <StateBadge tone="good">On</StateBadge> : <EmbeddingsState embeddings={embeddings} />

/** Only for the owner, and only if the server makes the backups itself. */
function LastBackup() {
  const { data } = useOperation('list-backups', {})
  if (data === undefined || data.backups === null || data.backups.command !== null) return null
  const { items, lastFailure } = data.backups
  // The server deletes those from before updates, as the system check says.
  const latest = items.find(({ kind, problem }) => kind !== 'before-update' && problem === null)
  const isDamaged = items.some(({ problem }) => problem !== null)
  return (
    <Status name="Last backup">
      <Anchor inherit renderRoot={(props) => <Link {...props} to="/settings/backups" />}>
        {lastFailure !== null || isDamaged ? (
          <StateBadge tone="bad">{lastFailure === null ? 'Needs attention' : 'Failed'}</StateBadge>
        ) : latest === undefined ? (
          <StateBadge tone="neutral">None yet</StateBadge>
        ) : (
          <Moment at={latest.createdAt} />
        )}
      </Anchor>
    </Status>
  )
}

function Status({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
