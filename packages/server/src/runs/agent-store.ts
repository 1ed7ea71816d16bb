import { profileIn, type JoinedProfile, type SealedProfile } from '../auth/store.ts'
import { openJson, sealJson, type CellAddress } from '../crypto/cell.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Database, Reader, Tx } from '../db/dialect.ts'
import type { AgentSightingsTable } from '../db/tables/sessions.ts'
import { agentTag, listLatestRuns } from './run-store.ts'

/**
 * Which agents are active in a vault: those with a run, and those that call without a run id. The latter have one row each, found
 * by the same keyed tag as an agent's runs.
 */

/** What calls without a run id say about their agent. */
export interface Sighting {
  agentId: string
  modelId: string | undefined
  integrationId: string
  calls: number
  firstAt: number
  lastAt: number
}

interface Head {
  agentId: string
  modelId?: string | undefined
}

/** After an hour without calls, the count of an agent without a run restarts. */
const pauseMs = 3_600_000

/** Records the agent's calls. Needs the vault's lock. */
export async function recordSighting(tx: Tx, scope: VaultScope, news: Sighting): Promise<void> {
  const tag = agentTag(scope, news.agentId)
  const row = await sightings(tx, scope).selectAll().where('agentTag', '=', tag).executeTakeFirst()
  const headRevision = (row?.headRevision ?? 0) + 1
  const modelId = news.modelId ?? (row && openHead(scope, row).modelId)
  const head = sealJson(scope.keys, 'content', address(scope, tag, headRevision), { agentId: news.agentId, modelId })
  const { integrationId, firstAt, lastAt } = news
  const isContinued = row !== undefined && firstAt - row.lastSeenAt <= pauseMs
  const values = {
    integrationId,
    head,
    headRevision,
    calls: news.calls + (isContinued ? row.calls : 0),
    startedAt: isContinued ? Math.min(row.startedAt, firstAt) : firstAt,
    lastSeenAt: Math.max(row?.lastSeenAt ?? 0, lastAt),
  }
  if (row === undefined)
    await tx
      .insertInto('agentSightings')
      .values({ userId: scope.userId, vaultId: scope.id, agentTag: tag, ...values })
      .execute()
  else
    await tx
      .updateTable('agentSightings')
      .set(values)
      .where('userId', '=', scope.userId)
      .where('vaultId', '=', scope.id)
      .where('agentTag', '=', tag)
      .execute()
}

/** An agent that called since a given time. Without a run in that time, it has the calls since its last pause. */
export interface SeenAgent extends Head {
  integrationId: string | undefined
  /** The integration's, sealed; undefined if it was deleted. */
  profile: SealedProfile | undefined
  agentRunId: string | undefined
  startedAt: number
  lastSeenAt: number
  endedAt?: number | undefined
  currentActivity?: string | undefined
  /** Calls in its latest run. */
  toolCalls: number
  /** Its runs that were active in that time. */
  runs: number
  /** Calls in all of these runs, and without a run. */
  allCalls: number
}

interface Asked {
  since: number
  limit: number
  offset: number
}

/** The agents that called since then, most recent first, each with its latest run. */
export async function listAgents(db: Reader, scope: VaultScope, { since, limit, offset }: Asked): Promise<SeenAgent[]> {
  const seen = await seenSince(db, scope, since)
    .select(({ fn }) => ['agentTag', fn.max<number>('lastSeenAt').as('lastSeenAt')])
    .groupBy('agentTag')
    .orderBy('lastSeenAt', 'desc')
    .orderBy('agentTag')
    .limit(limit)
    .offset(offset)
    .execute()
  if (seen.length === 0) return []
  const tags = seen.map((row) => row.agentTag)
  const runs = new Map((await listLatestRuns(db, scope, since, tags)).map((run) => [hexOf(run.agentTag), run]))
  const sums = new Map((await sumRuns(db, scope, since, tags)).map((sum) => [hexOf(sum.agentTag), sum]))
  const plain = new Map((await listSightings(db, scope, since, tags)).map((row) => [hexOf(row.agentTag), row]))
  return seen.flatMap(({ agentTag: tag, lastSeenAt }) => {
    const [run, sighting] = [runs.get(hexOf(tag))?.run, plain.get(hexOf(tag))]
    const known = run ?? (sighting && describeSighting(scope, sighting))
    if (known === undefined) return []
    const sum = sums.get(hexOf(tag))
    // PostgreSQL returns sums of integers as text.
    const allCalls = Number(sum?.toolCalls ?? 0) + (sighting?.calls ?? 0)
    return [{ ...known, lastSeenAt, runs: sum?.runs ?? 0, allCalls }]
  })
}

export async function countAgents(db: Reader, scope: VaultScope, since: number): Promise<number> {
  const { count } = await seenSince(db, scope, since)
    .select(({ fn }) => fn.count<number>('agentTag').distinct().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Deletes the records of agents without a run that last called before `before`. */
export const purgeSightings = (
  db: Database,
  { userId, id }: Pick<VaultScope, 'userId' | 'id'>,
  before: number,
): Promise<number> =>
  db.write(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('agentSightings')
      .where('userId', '=', userId)
      .where('vaultId', '=', id)
      .where('lastSeenAt', '<', before)
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  })

const sightings = (db: Reader, { userId, id }: Pick<VaultScope, 'userId' | 'id'>) =>
  db.selectFrom('agentSightings').where('userId', '=', userId).where('vaultId', '=', id)

const runsSince = (db: Reader, { userId, id }: Pick<VaultScope, 'userId' | 'id'>, since: number) =>
  db.selectFrom('runs').where('userId', '=', userId).where('vaultId', '=', id).where('lastSeenAt', '>=', since)

const seenSince = (db: Reader, scope: VaultScope, since: number) =>
  db.selectFrom(
    runsSince(db, scope, since)
      .select(['agentTag', 'lastSeenAt'])
      .unionAll(sightings(db, scope).select(['agentTag', 'lastSeenAt']).where('lastSeenAt', '>=', since))
      .as('seen'),
  )

const sumRuns = (db: Reader, scope: VaultScope, since: number, tags: readonly Uint8Array[]) =>
  runsSince(db, scope, since)
    .select(({ fn }) => [
      'agentTag',
      fn.countAll<number>().as('runs'),
      fn.sum<number | string>('toolCalls').as('toolCalls'),
    ])
    .where('agentTag', 'in', tags)
    .groupBy('agentTag')
    .execute()

const listSightings = (db: Reader, scope: VaultScope, since: number, tags: readonly Uint8Array[]) =>
  db
    .selectFrom('agentSightings as sighting')
    .leftJoin('integrations as integration', (join) =>
      join.onRef('integration.userId', '=', 'sighting.userId').onRef('integration.id', '=', 'sighting.integrationId'),
    )
    .selectAll('sighting')
    .select(['integration.profile', 'integration.profileRevision'])
    .where('sighting.userId', '=', scope.userId)
    .where('sighting.vaultId', '=', scope.id)
    .where('sighting.lastSeenAt', '>=', since)
    .where('sighting.agentTag', 'in', tags)
    .execute()

const describeSighting = (scope: VaultScope, row: AgentSightingsTable & JoinedProfile) => ({
  ...openHead(scope, row),
  integrationId: row.integrationId,
  profile: profileIn(row),
  agentRunId: undefined,
  startedAt: row.startedAt,
  toolCalls: row.calls,
})

const openHead = (scope: VaultScope, { agentTag: tag, headRevision, head }: AgentSightingsTable): Head =>
  openJson(scope.keys, 'content', address(scope, tag, headRevision), head) as Head

const hexOf = (tag: Uint8Array): string => Buffer.from(tag).toString('hex')

// The row has no id; the agent's tag is its key.
const address = ({ id, userId }: VaultScope, tag: Uint8Array, revision: number): CellAddress => ({
  userId,
  scopeId: id,
  table: 'agentSightings',
  rowId: id,
  column: `head ${hexOf(tag)}`,
  revision,
})
