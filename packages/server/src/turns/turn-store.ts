import type { VaultScope } from '../crypto/keys.ts'
import type { Database, Reader, Tx } from '../db/dialect.ts'
import { type CellAddress, openJson, sealJson } from '../crypto/cell.ts'
import type { TurnsTable } from '../db/tables/sessions.ts'
import { runTagOf } from '../operation/writer.ts'
import type { Role } from './extract-memories.ts'

/** A page of a run's turns, oldest first. `tag`: the run's tag, from its row. */
export async function listRunTurnPage(
  db: Reader,
  scope: VaultScope,
  tag: Uint8Array,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ turns: Turn[]; total: number }> {
  const said = db
    .selectFrom('turns')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('runTag', '=', tag)
  const rows = await said.selectAll().orderBy('occurredAt').orderBy('id').limit(limit).offset(offset).execute()
  const { total } = await said.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { turns: rows.map((row) => openTurn(scope, row)), total }
}

const idsAtOnce = 100

/** The ids of the vault's turns in which memories may have been found, before the id `before`, newest first. At most 100. */
export async function listSearchedTurnIds(
  db: Reader,
  { id, userId }: Pick<VaultScope, 'userId' | 'id'>,
  before: string | undefined,
): Promise<string[]> {
  const rows = await db
    .selectFrom('turns')
    .select('id')
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    .where('status', 'not in', ['skipped', 'stored'])
    .$if(before !== undefined, (turns) => turns.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(idsAtOnce)
    .execute()
  return rows.map((row) => row.id)
}

/** Turns by id, oldest first. Ids without a turn are left out. */
export async function findTurns(db: Reader, scope: VaultScope, turnIds: readonly string[]): Promise<Turn[]> {
  if (turnIds.length === 0) return []
  const rows = await db
    .selectFrom('turns')
    .selectAll()
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', 'in', turnIds)
    .orderBy('occurredAt')
    .orderBy('id')
    .execute()
  return rows.map((row) => openTurn(scope, row))
}

/** Deletes turns, also from the queue of the language model. Returns the ids of those that existed. Some hundreds at most. */
export async function deleteTurns(
  tx: Tx,
  { id, userId }: Pick<VaultScope, 'userId' | 'id'>,
  turnIds: readonly string[],
): Promise<string[]> {
  if (turnIds.length === 0) return []
  await tx
    .deleteFrom('extractionJobs')
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    .where('turnId', 'in', turnIds)
    .execute()
  const rows = await tx
    .deleteFrom('turns')
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    .where('id', 'in', turnIds)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/** The id of the turn's run, if known. */
export async function findRunIdOf(
  db: Reader,
  { userId, id }: Pick<VaultScope, 'userId' | 'id'>,
  turnId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('turns as turn')
    .innerJoin('runs as run', (join) =>
      join
        .onRef('run.userId', '=', 'turn.userId')
        .onRef('run.vaultId', '=', 'turn.vaultId')
        .onRef('run.runTag', '=', 'turn.runTag'),
    )
    .select('run.id')
    .where('turn.userId', '=', userId)
    .where('turn.vaultId', '=', id)
    .where('turn.id', '=', turnId)
    .executeTakeFirst()
  return row?.id
}

export const extractionStatuses = [
  'skipped',
  'stored',
  'extracted',
  'queued',
  'failed',
] as const satisfies TurnsTable['status'][]
export type ExtractionStatus = TurnsTable['status']

export interface Turn extends TurnBody {
  turnId: string
  integrationId: string | undefined
  score: number
  status: ExtractionStatus
  occurredAt: number
  createdAt: number
}

interface TurnBody {
  content: string
  role: Role
  agentId: string
  agentRunId?: string | undefined
  modelId?: string | undefined
}

/** Needs the vault's lock. Also adds a queued turn to the language model's queue. */
export async function insertTurn(tx: Tx, scope: VaultScope, turn: Turn): Promise<void> {
  const { turnId, integrationId, score, status, occurredAt, createdAt, ...body } = turn
  await tx
    .insertInto('turns')
    .values({
      id: turnId,
      userId: scope.userId,
      vaultId: scope.id,
      integrationId: integrationId ?? null,
      runTag: runTagOf(scope, turn),
      score,
      status,
      body: sealJson(scope.keys, 'content', address(scope, turnId), body),
      occurredAt,
      createdAt,
    })
    .execute()
  if (status === 'queued')
    await tx
      .insertInto('extractionJobs')
      .values({ userId: scope.userId, vaultId: scope.id, turnId, attempt: 0, dueAt: createdAt })
      .execute()
}

export const findTurn = async (db: Reader, scope: VaultScope, turnId: string): Promise<Turn | undefined> =>
  (await findTurns(db, scope, [turnId]))[0]

export const openTurn = (scope: VaultScope, row: TurnsTable): Turn => ({
  turnId: row.id,
  integrationId: row.integrationId ?? undefined,
  score: row.score,
  status: row.status,
  occurredAt: row.occurredAt,
  createdAt: row.createdAt,
  ...(openJson(scope.keys, 'content', address(scope, row.id), row.body) as TurnBody),
})

type TurnPlace = { userId: string; vaultId: string; turnId: string }

export async function setTurnStatus(
  tx: Tx,
  { userId, vaultId, turnId }: TurnPlace,
  status: ExtractionStatus,
): Promise<void> {
  await tx
    .updateTable('turns')
    .set({ status })
    .where('userId', '=', userId)
    .where('vaultId', '=', vaultId)
    .where('id', '=', turnId)
    .execute()
}

export interface ExtractionJob extends TurnPlace {
  /** Number of attempts, including this one. */
  attempt: number
}

/**
 * Leases a due job until `leaseUntil`. No other server gets it before then, and a crash only delays it. Undefined if no job is
 * due, or if other servers took all the jobs that were read.
 */
export async function takeJob(
  db: Database,
  { now, leaseUntil }: { now: number; leaseUntil: number },
): Promise<ExtractionJob | undefined> {
  const due = await db.read
    .selectFrom('extractionJobs')
    .selectAll()
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .limit(jobsSeen)
    .execute()
  if (due.length === 0) return undefined
  return db.write(async (tx) => {
    for (const { userId, vaultId, turnId, attempt, dueAt } of due) {
      const { numUpdatedRows } = await tx
        .updateTable('extractionJobs')
        .set({ attempt: attempt + 1, dueAt: leaseUntil })
        .where('userId', '=', userId)
        .where('vaultId', '=', vaultId)
        .where('turnId', '=', turnId)
        // Both values differ if another server took the job first.
        .where('dueAt', '=', dueAt)
        .where('attempt', '=', attempt)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 1n) return { userId, vaultId, turnId, attempt: attempt + 1 }
    }
    return undefined
  })
}

const jobsSeen = 10

/** Returns the job to the queue with a new due time and attempt count, unless another server has leased it since. */
export async function postponeJob(
  tx: Tx,
  { userId, vaultId, turnId, attempt }: ExtractionJob,
  later: { dueAt: number; attempt: number },
): Promise<void> {
  await tx
    .updateTable('extractionJobs')
    .set(later)
    .where('userId', '=', userId)
    .where('vaultId', '=', vaultId)
    .where('turnId', '=', turnId)
    .where('attempt', '=', attempt)
    .execute()
}

/** Removes the job from the queue and sets the turn's status, unless another server has leased it since. */
export async function finishJob(tx: Tx, job: ExtractionJob, status: ExtractionStatus): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('extractionJobs')
    .where('userId', '=', job.userId)
    .where('vaultId', '=', job.vaultId)
    .where('turnId', '=', job.turnId)
    .where('attempt', '=', job.attempt)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 1n) await setTurnStatus(tx, job, status)
}

const rowsAtOnce = 500

/** Deletes at most 500 turns of the vault recorded before `before`, except queued ones. Returns the number deleted. */
export async function purgeTurns(
  db: Database,
  { userId, id }: Pick<VaultScope, 'userId' | 'id'>,
  before: number,
): Promise<number> {
  return db.write(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('turns')
      .where('userId', '=', userId)
      .where('vaultId', '=', id)
      .where('id', 'in', (query) =>
        query
          .selectFrom('turns as old')
          .select('old.id')
          .where('old.userId', '=', userId)
          .where('old.vaultId', '=', id)
          .where('old.createdAt', '<', before)
          .where('old.status', '!=', 'queued')
          .limit(rowsAtOnce),
      )
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  })
}

// The revision stays 1: the sealed body never changes. The status is a separate column.
const address = ({ id, userId }: VaultScope, turnId: string): CellAddress => ({
  userId,
  scopeId: id,
  table: 'turns',
  rowId: turnId,
  column: 'body',
  revision: 1,
})
