import { profileIn, type JoinedProfile, type SealedProfile } from '../auth/store.ts'
import { newId } from '../core/ids.ts'
import type { JsonValue } from '../core/json.ts'
import { exactTag } from '../crypto/hash.ts'
import { openJson, sealJson, type CellAddress, type Sealed } from '../crypto/cell.ts'
import { tagKeys, type VaultScope } from '../crypto/keys.ts'
import type { Database, Reader, Tx } from '../db/dialect.ts'
import type { RunsTable } from '../db/tables/sessions.ts'
import { runTag } from '../operation/writer.ts'

/** Stores runs. A run's id is unique within a vault and integration; a tag of the run id and the integration finds its row. */

export interface Run extends RunHead {
  /** Id of the row. `agentRunId` is only meaningful to the integration. */
  id: string
  integrationId: string | undefined
  toolCalls: number
  /** Calls to this service, by result. */
  reads: number
  writes: number
  failures: number
  /** Time of the last checkpoint. */
  checkpointAt: number | undefined
  startedAt: number
  lastSeenAt: number
  endedAt: number | undefined
}

interface RunHead {
  agentRunId: string
  agentId: string
  modelId?: string | undefined
  currentActivity?: string | undefined
  metadata?: Record<string, JsonValue> | undefined
}

/** An update of a run. Missing fields keep their values. */
export interface RunNews extends RunHead {
  integrationId: string
  /** Whether the agent sent its name. Otherwise it has the integration's name. */
  isNamed: boolean
  /** Calls since the last update. */
  calls: number
  /** The answered ones, by result. */
  reads?: number
  writes?: number
  failures?: number
  checkpointAt?: number | undefined
  firstAt: number
  lastAt: number
  hasEnded?: true
}

/** Creates or updates the run. Needs the vault's lock. */
export async function recordRun(tx: Tx, scope: VaultScope, news: RunNews): Promise<Run> {
  const row = await tx
    .selectFrom('runs')
    .selectAll()
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('runTag', '=', runTag(scope, news))
    .executeTakeFirst()
  return row === undefined ? insertRun(tx, scope, news) : updateRun(tx, scope, row, news)
}

async function insertRun(tx: Tx, scope: VaultScope, news: RunNews): Promise<Run> {
  const { integrationId, firstAt, lastAt, hasEnded } = news
  const head = headOf(news)
  const id = newId()
  const endedAt = hasEnded === true ? lastAt : undefined
  const counts = {
    toolCalls: news.calls,
    reads: news.reads ?? 0,
    writes: news.writes ?? 0,
    failures: news.failures ?? 0,
  }
  await tx
    .insertInto('runs')
    .values({
      id,
      userId: scope.userId,
      vaultId: scope.id,
      runTag: runTag(scope, news),
      agentTag: agentTag(scope, head.agentId),
      integrationId,
      head: sealHead(scope, id, 1, head),
      headRevision: 1,
      ...counts,
      checkpointAt: news.checkpointAt ?? null,
      startedAt: firstAt,
      lastSeenAt: lastAt,
      endedAt: endedAt ?? null,
    })
    .execute()
  const { checkpointAt } = news
  return { ...head, id, integrationId, ...counts, checkpointAt, startedAt: firstAt, lastSeenAt: lastAt, endedAt }
}

const headOf = ({ agentRunId, agentId, modelId, currentActivity, metadata }: RunHead): RunHead => ({
  agentRunId,
  agentId,
  modelId,
  currentActivity,
  metadata,
})

async function updateRun(tx: Tx, scope: VaultScope, row: RunsTable, news: RunNews): Promise<Run> {
  const before = openRun(scope, row)
  const head = headAfter(before, news)
  const isResealed = JSON.stringify(head) !== JSON.stringify(headAfter(before, { ...before, isNamed: false }))
  const headRevision = row.headRevision + (isResealed ? 1 : 0)
  const counts = {
    toolCalls: row.toolCalls + news.calls,
    reads: row.reads + (news.reads ?? 0),
    writes: row.writes + (news.writes ?? 0),
    failures: row.failures + (news.failures ?? 0),
    checkpointAt: news.checkpointAt ?? row.checkpointAt,
    startedAt: Math.min(row.startedAt, news.firstAt),
    lastSeenAt: Math.max(row.lastSeenAt, news.lastAt),
    endedAt: endAfter(row.endedAt, news),
  }
  await tx
    .updateTable('runs')
    .set({
      ...counts,
      agentTag: agentTag(scope, head.agentId),
      ...(isResealed && { head: sealHead(scope, row.id, headRevision, head), headRevision }),
    })
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', '=', row.id)
    .execute()
  const { checkpointAt, endedAt } = counts
  return { ...before, ...head, ...counts, checkpointAt: checkpointAt ?? undefined, endedAt: endedAt ?? undefined }
}

const headAfter = (before: RunHead, news: RunHead & Pick<RunNews, 'isNamed'>): RunHead => ({
  agentRunId: before.agentRunId,
  agentId: news.isNamed ? news.agentId : before.agentId,
  modelId: news.modelId ?? before.modelId,
  currentActivity: news.currentActivity ?? before.currentActivity,
  metadata: news.metadata ?? before.metadata,
})

/** A call after the end reopens the run. */
function endAfter(endedAt: number | null, { hasEnded, lastAt }: RunNews): number | null {
  if (hasEnded === true) return lastAt
  return endedAt !== null && lastAt > endedAt ? null : endedAt
}

export interface RecentRun extends Run {
  /** The integration's sealed profile; undefined if it was deleted. */
  profile: SealedProfile | undefined
}

/** The latest run of each of these agents, if active since `since`. */
export async function listLatestRuns(
  db: Reader,
  scope: VaultScope,
  since: number,
  agentTags: readonly Uint8Array[],
): Promise<{ agentTag: Uint8Array; run: RecentRun }[]> {
  const rows = await db
    .with('recent', (query) =>
      query
        .selectFrom('runs')
        .selectAll()
        .select(({ fn }) =>
          fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('agentTag').orderBy('lastSeenAt', 'desc').orderBy('id', 'desc'))
            .as('rank'),
        )
        .where('userId', '=', scope.userId)
        .where('vaultId', '=', scope.id)
        .where('lastSeenAt', '>=', since)
        .where('agentTag', 'in', agentTags),
    )
    .selectFrom('recent as run')
    .leftJoin('integrations as integration', (join) =>
      join.onRef('integration.userId', '=', 'run.userId').onRef('integration.id', '=', 'run.integrationId'),
    )
    .selectAll('run')
    .select(['integration.profile', 'integration.profileRevision'])
    .where('run.rank', '=', 1)
    .execute()
  return rows.map((row) => ({ agentTag: row.agentTag, run: listedRun(scope, row) }))
}

export interface RunFilter {
  agentId?: string | undefined
  /** Only runs with a failed call. */
  hasFailures?: boolean | undefined
  hasCheckpoint?: boolean | undefined
  /** Only runs active at or after this time. */
  seenFrom?: number | undefined
  /** Only runs that began before this time. */
  startedBefore?: number | undefined
  hasEnded?: boolean | undefined
}

/** A page of runs, last active first. */
export async function listRunPage(
  db: Reader,
  scope: VaultScope,
  { agentId, hasFailures, hasCheckpoint, seenFrom, startedBefore, hasEnded }: RunFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ runs: RecentRun[]; total: number }> {
  const wanted = runsIn(db, scope)
    .$if(agentId !== undefined, (query) => query.where('run.agentTag', '=', agentTag(scope, agentId ?? '')))
    .$if(hasFailures === true, (query) => query.where('run.failures', '>', 0))
    .$if(hasCheckpoint === true, (query) => query.where('run.checkpointAt', 'is not', null))
    .$if(hasCheckpoint === false, (query) => query.where('run.checkpointAt', 'is', null))
    .$if(seenFrom !== undefined, (query) => query.where('run.lastSeenAt', '>=', seenFrom ?? 0))
    .$if(startedBefore !== undefined, (query) => query.where('run.startedAt', '<', startedBefore ?? 0))
    .$if(hasEnded === true, (query) => query.where('run.endedAt', 'is not', null))
    .$if(hasEnded === false, (query) => query.where('run.endedAt', 'is', null))
  const rows = await wanted
    .selectAll('run')
    .select(['integration.profile', 'integration.profileRevision'])
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
    .select(['integration.profile', 'integration.profileRevision'])
    .where('run.id', '=', id)
    .executeTakeFirst()
  return row && listedRun(scope, row)
}

/** The tag that finds the run's turns. */
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

const listedRun = (scope: VaultScope, row: RunsTable & JoinedProfile): RecentRun => ({
  ...openRun(scope, row),
  profile: profileIn(row),
})

const rowsAtOnce = 500

/** Deletes at most 500 runs of the vault that were last active before `before`. Returns the number deleted. */
export async function purgeRuns(
  db: Database,
  { userId, id }: Pick<VaultScope, 'userId' | 'id'>,
  before: number,
): Promise<number> {
  return db.write(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('runs')
      .where('userId', '=', userId)
      .where('vaultId', '=', id)
      .where('id', 'in', (query) =>
        query
          .selectFrom('runs as old')
          .select('old.id')
          .where('old.userId', '=', userId)
          .where('old.vaultId', '=', id)
          .where('old.lastSeenAt', '<', before)
          .limit(rowsAtOnce),
      )
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  })
}

export const openRun = (scope: VaultScope, row: RunsTable): Run => ({
  ...(openJson(scope.keys, 'content', address(scope, row.id, row.headRevision), row.head) as RunHead),
  id: row.id,
  integrationId: row.integrationId ?? undefined,
  toolCalls: row.toolCalls,
  reads: row.reads,
  writes: row.writes,
  failures: row.failures,
  checkpointAt: row.checkpointAt ?? undefined,
  startedAt: row.startedAt,
  lastSeenAt: row.lastSeenAt,
  endedAt: row.endedAt ?? undefined,
})

const sealHead = (scope: VaultScope, id: string, revision: number, head: RunHead): Sealed =>
  sealJson(scope.keys, 'content', address(scope, id, revision), head)

const address = ({ id, userId }: VaultScope, rowId: string, revision: number): CellAddress => ({
  userId,
  scopeId: id,
  table: 'runs',
  rowId,
  column: 'head',
  revision,
})

export const agentTag = ({ keys }: VaultScope, agentId: string) => exactTag(tagKeys(keys).exact, 'run agent', agentId)
