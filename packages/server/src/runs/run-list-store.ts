import type { Sealed } from '../crypto/cell.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import type { RunsTable } from '../db/tables/sessions.ts'
import { agentTag, openRun, type RecentRun } from './run-store.ts'

/** Lists of runs for the person whose vault it is. */

/** How many agents were heard of since then. */
export async function countAgents(db: Reader, { id, userId }: VaultScope, since: number): Promise<number> {
  const { count } = await db
    .selectFrom('runs')
    .select(({ fn }) => fn.count<number>('agentTag').distinct().as('count'))
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    .where('lastSeenAt', '>=', since)
    .executeTakeFirstOrThrow()
  return count
}

/** What is left out does not filter. */
export interface RunFilter {
  agentId?: string | undefined
  /** In which a call failed. */
  hasFailures?: boolean | undefined
  hasCheckpoint?: boolean | undefined
  /** Heard of at this moment or later. */
  seenFrom?: number | undefined
  /** Begun before. */
  startedBefore?: number | undefined
}

/** The runs that were heard of last. */
export async function listRunPage(
  db: Reader,
  scope: VaultScope,
  { agentId, hasFailures, hasCheckpoint, seenFrom, startedBefore }: RunFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ runs: RecentRun[]; total: number }> {
  const wanted = runsIn(db, scope)
    .$if(agentId !== undefined, (query) => query.where('run.agentTag', '=', agentTag(scope, agentId ?? '')))
    .$if(hasFailures === true, (query) => query.where('run.failures', '>', 0))
    .$if(hasCheckpoint === true, (query) => query.where('run.checkpointAt', 'is not', null))
    .$if(hasCheckpoint === false, (query) => query.where('run.checkpointAt', 'is', null))
    .$if(seenFrom !== undefined, (query) => query.where('run.lastSeenAt', '>=', seenFrom ?? 0))
    .$if(startedBefore !== undefined, (query) => query.where('run.startedAt', '<', startedBefore ?? 0))
  const rows = await wanted
    .selectAll('run')
    .select('integration.profile')
    .orderBy('run.lastSeenAt', 'desc')
    .orderBy('run.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await wanted.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { runs: rows.map((row) => listedRun(scope, row)), total }
}

export async function findRun(db: Reader, scope: VaultScope, id: string): Promise<RecentRun | undefined> {
  const row = await runsIn(db, scope)
    .selectAll('run')
    .select('integration.profile')
    .where('run.id', '=', id)
    .executeTakeFirst()
  return row && listedRun(scope, row)
}

/** By which what a run has handed in is found. */
export async function findRunTag(db: Reader, scope: VaultScope, id: string): Promise<Uint8Array | undefined> {
  const row = await runsIn(db, scope).select('run.runTag').where('run.id', '=', id).executeTakeFirst()
  return row?.runTag
}

const runsIn = (db: Reader, { id, userId }: VaultScope) =>
  db
    .selectFrom('runs as run')
    .leftJoin('integrations as integration', (join) =>
      join.onRef('integration.userId', '=', 'run.userId').onRef('integration.id', '=', 'run.integrationId'),
    )
    .where('run.userId', '=', userId)
    .where('run.vaultId', '=', id)

const listedRun = (scope: VaultScope, row: RunsTable & { profile: Sealed | null }): RecentRun => ({
  ...openRun(scope, row),
  profile: row.profile ?? undefined,
})
