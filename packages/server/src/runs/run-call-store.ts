import { newId } from '../core/ids.ts'
import { openCell, sealCell, type CellAddress, type Sealed } from '../crypto/cell.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Database, Reader, Tx } from '../db/dialect.ts'
import type { CallOutcome } from '../calls/call.ts'
import { decodeCalls, encodeCalls } from './run-call-format.ts'

/**
 * The calls of a run and their results. Each row seals the calls of a few seconds, so the database alone doesn't reveal which
 * records an agent read, or when.
 */

/** Called in the transaction that counts the calls. Needs the vault's lock. */
export async function insertRunCalls(
  tx: Tx,
  scope: VaultScope,
  runId: string,
  outcomes: readonly CallOutcome[],
): Promise<void> {
  const [first] = outcomes
  if (first === undefined) return
  const id = newId()
  await tx
    .insertInto('runCalls')
    .values({
      id,
      userId: scope.userId,
      vaultId: scope.id,
      runId,
      body: sealCell(scope.keys, 'content', address(scope, id), encodeCalls(outcomes)),
      calls: outcomes.length,
      createdAt: first.at,
    })
    .execute()
}

/** A page of calls, latest first. */
export async function listRunCallPage(
  db: Reader,
  scope: VaultScope,
  runId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ calls: CallOutcome[]; total: number }> {
  const rows = await rowsOf(db, scope, runId).select(['id', 'calls']).orderBy('id', 'desc').execute()
  const wanted: string[] = []
  let passed = 0
  let skipped = 0
  for (const { id, calls } of rows) {
    if (passed + calls > offset && passed < offset + limit) wanted.push(id)
    else if (wanted.length === 0) skipped += calls
    passed += calls
  }
  const found = await readRows(db, scope, runId, wanted)
  return { calls: found.slice(offset - skipped, offset - skipped + limit), total: passed }
}

/** The run's calls from its latest rows, or all, latest first. 5,000 rows take about 0.4 s. */
export async function readRunCalls(
  db: Reader,
  scope: VaultScope,
  runId: string,
  maxRows?: number,
): Promise<CallOutcome[]> {
  const rows = rowsOf(db, scope, runId).select('id').orderBy('id', 'desc')
  const ids = (await (maxRows === undefined ? rows : rows.limit(maxRows)).execute()).map(({ id }) => id)
  const calls: CallOutcome[] = []
  for (let at = 0; at < ids.length; at += rowsAtOnce)
    calls.push(...(await readRows(db, scope, runId, ids.slice(at, at + rowsAtOnce))))
  return calls
}

export type OperationCount = {
  operation: string
  /** Whether any of the calls changed data: a dry run doesn't. */
  isWrite: boolean
  /** Calls that succeeded. */
  done: number
  failed: number
}

const rowsAtOnce = 500

/** Counts the calls by operation, most frequent first. */
export function countOperations(calls: readonly CallOutcome[]): OperationCount[] {
  const counts = new Map<string, OperationCount>()
  for (const { operation, isWrite, status } of calls) {
    const count = counts.get(operation) ?? { operation, isWrite, done: 0, failed: 0 }
    count.isWrite ||= isWrite
    if (status < 400) count.done++
    else count.failed++
    counts.set(operation, count)
  }
  return [...counts.values()].toSorted(byCount)
}

const byCount = (a: OperationCount, b: OperationCount): number =>
  b.done + b.failed - (a.done + a.failed) || (a.operation < b.operation ? -1 : 1)

/** The latest first. */
async function readRows(db: Reader, scope: VaultScope, runId: string, ids: readonly string[]): Promise<CallOutcome[]> {
  if (ids.length === 0) return []
  const rows = await rowsOf(db, scope, runId)
    .select(['id', 'body'])
    .where('id', 'in', ids)
    .orderBy('id', 'desc')
    .execute()
  return rows.flatMap(({ id, body }) => openRow(scope, id, body).toReversed())
}

const openRow = (scope: VaultScope, id: string, body: Sealed): CallOutcome[] =>
  decodeCalls(openCell(scope.keys, 'content', address(scope, id), body))

/** Deletes at most 500 rows of calls that began before `before`, in one vault or all. Returns the number deleted. */
export async function purgeRunCalls(
  db: Database,
  before: number,
  vault?: Pick<VaultScope, 'userId' | 'id'>,
): Promise<number> {
  return db.write(async (tx) => {
    const due = await tx
      .selectFrom('runCalls')
      .select(['userId', 'vaultId', 'runId', 'id'])
      .where('createdAt', '<', before)
      .$if(vault !== undefined, (query) =>
        query.where('userId', '=', vault?.userId ?? '').where('vaultId', '=', vault?.id ?? ''),
      )
      .orderBy('createdAt')
      .limit(rowsAtOnce)
      .execute()
    for (const { userId, vaultId, runId, id } of due)
      await tx
        .deleteFrom('runCalls')
        .where('userId', '=', userId)
        .where('vaultId', '=', vaultId)
        .where('runId', '=', runId)
        .where('id', '=', id)
        .execute()
    return due.length
  })
}

const rowsOf = (db: Reader, scope: VaultScope, runId: string) =>
  db
    .selectFrom('runCalls')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('runId', '=', runId)

// Written once.
const address = ({ id, userId }: VaultScope, rowId: string): CellAddress => ({
  userId,
  scopeId: id,
  table: 'runCalls',
  rowId,
  column: 'body',
  revision: 1,
})
