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

export interface ListedRun extends RecentRun {
  /** Of the row: a run's own id is known to its integration alone. */
  id: string
}

/** The runs that were heard of last, of one agent where it is named. */
export async function listRuns(
  db: Reader,
  scope: VaultScope,
  agentId: string | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ runs: ListedRun[]; total: number }> {
  const wanted = runsIn(db, scope).$if(agentId !== undefined, (query) =>
    query.where('run.agentTag', '=', agentTag(scope, agentId ?? '')),
  )
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

export async function findRun(db: Reader, scope: VaultScope, id: string): Promise<ListedRun | undefined> {
  const row = await runsIn(db, scope)
    .selectAll('run')
    .select('integration.profile')
    .where('run.id', '=', id)
    .executeTakeFirst()
  return row && listedRun(scope, row)
}

const runsIn = (db: Reader, { id, userId }: VaultScope) =>
  db
    .selectFrom('runs as run')
    .leftJoin('integrations as integration', (join) =>
      join.onRef('integration.userId', '=', 'run.userId').onRef('integration.id', '=', 'run.integrationId'),
    )
    .where('run.userId', '=', userId)
    .where('run.vaultId', '=', id)

const listedRun = (scope: VaultScope, row: RunsTable & { profile: Sealed | null }): ListedRun => ({
  ...openRun(scope, row),
  id: row.id,
  profile: row.profile ?? undefined,
})
