import { asSealed, openJson, sealJson, type CellAddress } from '../crypto/cell.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Database, Reader, Tx } from '../db/dialect.ts'
import { isWithin, type OwnerRange } from '../db/owner-range.ts'
import type { ProposalsTable } from '../db/tables/memories.ts'
import { runTagOf, type NamedWriter } from '../operation/writer.ts'

/** Rows of proposals, sealed and opened. Every query filters by owner and vault. */

export type ProposalStatus = 'pending' | 'accepted' | 'rejected' | 'withdrawn'

/** The operations whose changes can be proposed. */
export const proposedOperations = [
  'write-memory',
  'update-memory',
  'archive-memory',
  'update-task',
  'update-note',
  'delete-note',
] as const
export type ProposedOperation = (typeof proposedOperations)[number]

export interface Proposal extends ProposalBody {
  proposalId: string
  integrationId: string
  recordType: 'memory' | 'note'
  recordId: string
  status: ProposalStatus
  createdAt: number
  settledAt: number | undefined
  /** Of the first run that proposed it. `by` names the last one. */
  runTag: Uint8Array | null
}

/** The sealed part. */
interface ProposalBody {
  operation: ProposedOperation
  /** What the operation was called with, validated. */
  input: object
  by: NamedWriter
  modelId?: string | undefined
  /** Keyed tag of the record's text when the change was proposed. */
  textTag: string
}

export async function insertProposal(tx: Tx, scope: VaultScope, proposal: Proposal, tag: Uint8Array): Promise<void> {
  const { proposalId, integrationId, recordType, recordId, status, createdAt, settledAt, runTag, ...body } = proposal
  await tx
    .insertInto('proposals')
    .values({
      userId: scope.userId,
      vaultId: scope.id,
      id: proposalId,
      integrationId,
      recordType,
      recordId,
      status,
      createdAt,
      settledAt: settledAt ?? null,
      tag,
      runTag,
      body: sealJson(scope.keys, 'content', address(scope, proposalId), body),
    })
    .execute()
}

export async function findByTag(db: Reader, scope: VaultScope, tag: Uint8Array): Promise<Proposal | undefined> {
  const row = await proposalsIn(db, scope).selectAll().where('tag', '=', tag).executeTakeFirst()
  return row && open(scope, row)
}

/** All that wait for a decision, of one integration. There are at most some dozens. */
export async function listPendingOf(db: Reader, scope: VaultScope, integrationId: string): Promise<Proposal[]> {
  const rows = await pendingIn(db, scope).selectAll().where('integrationId', '=', integrationId).execute()
  return rows.map((row) => open(scope, row))
}

export async function findProposal(db: Reader, scope: VaultScope, id: string): Promise<Proposal | undefined> {
  const row = await proposalsIn(db, scope).selectAll().where('id', '=', id).executeTakeFirst()
  return row && open(scope, row)
}

/** Which of these exist, and their status. Opens none of them. */
export async function findStatuses(
  db: Reader,
  scope: VaultScope,
  ids: readonly string[],
): Promise<Pick<Proposal, 'proposalId' | 'status' | 'recordType' | 'recordId'>[]> {
  const rows = await proposalsIn(db, scope)
    .select(['id', 'status', 'recordType', 'recordId'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  return rows.map(({ id, status, recordType, recordId }) => ({
    proposalId: id,
    status: status as ProposalStatus,
    recordType: recordType as Proposal['recordType'],
    recordId,
  }))
}

/** Those that wait for a decision, oldest first. */
export async function listPending(
  db: Reader,
  scope: VaultScope,
  { limit, offset }: { limit: number; offset: number },
): Promise<Proposal[]> {
  const rows = await pendingIn(db, scope).selectAll().orderBy('id').limit(limit).offset(offset).execute()
  return rows.map((row) => open(scope, row))
}

export async function countPending(db: Reader, scope: VaultScope, integrationId?: string): Promise<number> {
  const { total } = await pendingIn(db, scope)
    .$if(integrationId !== undefined, (query) => query.where('integrationId', '=', integrationId ?? ''))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** How many wait for a decision, by integration. */
export async function countPendingByIntegration(db: Reader, scope: VaultScope): Promise<Record<string, number>> {
  const rows = await pendingIn(db, scope)
    .select(['integrationId', ({ fn }) => fn.countAll<number>().as('total')])
    .groupBy('integrationId')
    .orderBy('integrationId')
    .execute()
  return Object.fromEntries(rows.map(({ integrationId, total }) => [integrationId, total]))
}

/** What a run proposed first, and what waits for a decision with the reason that the run gave. */
export async function listOfRun(
  db: Reader,
  scope: VaultScope,
  run: Pick<NamedWriter, 'integrationId' | 'agentRunId'>,
): Promise<Proposal[]> {
  const runTag = runTagOf(scope, run)
  if (runTag === null) return []
  const first = await proposalsIn(db, scope).selectAll().where('runTag', '=', runTag).execute()
  const pending = await listPendingOf(db, scope, run.integrationId ?? '')
  const isLast = ({ by }: Proposal) => by.agentRunId === run.agentRunId
  const all = [...first.map((row) => open(scope, row)), ...pending.filter(isLast)]
  return [...new Map(all.map((proposal) => [proposal.proposalId, proposal])).values()]
}

/** Settles a pending proposal; false if it isn't pending any more. */
export async function settleProposal(
  tx: Tx,
  scope: VaultScope,
  { id, status, at }: { id: string; status: Exclude<ProposalStatus, 'pending'>; at: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('proposals')
    .set({ status, settledAt: at })
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', '=', id)
    .where('status', '=', 'pending' satisfies ProposalStatus)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Undoes a decision about a proposal, which then waits again; false if it is pending or withdrawn. */
export async function reopenProposal(tx: Tx, scope: VaultScope, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('proposals')
    .set({ status: 'pending' satisfies ProposalStatus, settledAt: null })
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', '=', id)
    .where('status', 'in', ['accepted', 'rejected'] satisfies ProposalStatus[])
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Withdraws what a run proposed and nobody has decided yet. Returns how many. */
export async function withdrawOfRun(
  tx: Tx,
  scope: VaultScope,
  { run, at }: { run: Pick<NamedWriter, 'integrationId' | 'agentRunId'>; at: number },
): Promise<number> {
  let withdrawn = 0
  for (const { proposalId: id } of await listOfRun(tx, scope, run))
    if (await settleProposal(tx, scope, { id, status: 'withdrawn', at })) withdrawn++
  return withdrawn
}

export const deleteProposal = (tx: Tx, scope: VaultScope, id: string) =>
  tx
    .deleteFrom('proposals')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', '=', id)
    .execute()

/** Deletes these owners' proposals that were settled before `before`, in all vaults. */
export const purgeSettled = (db: Database, owners: OwnerRange, before: number): Promise<void> =>
  db.write(async (tx) => {
    await tx.deleteFrom('proposals').where(isWithin('userId', owners)).where('settledAt', '<', before).execute()
  })

const proposalsIn = (db: Reader, scope: VaultScope) =>
  db.selectFrom('proposals').where('userId', '=', scope.userId).where('vaultId', '=', scope.id)

const pendingIn = (db: Reader, scope: VaultScope) =>
  proposalsIn(db, scope).where('status', '=', 'pending' satisfies ProposalStatus)

const open = (scope: VaultScope, row: ProposalsTable): Proposal => ({
  proposalId: row.id,
  integrationId: row.integrationId,
  recordType: row.recordType as Proposal['recordType'],
  recordId: row.recordId,
  status: row.status as ProposalStatus,
  createdAt: row.createdAt,
  settledAt: row.settledAt ?? undefined,
  runTag: row.runTag,
  ...(openJson(scope.keys, 'content', address(scope, row.id), asSealed(row.body)) as ProposalBody),
})

/** The revision stays 1: a proposal never changes, it is settled, or replaced by one with another id. */
const address = ({ id, userId }: VaultScope, proposalId: string): CellAddress => ({
  userId,
  scopeId: id,
  table: 'proposals',
  rowId: proposalId,
  column: 'body',
  revision: 1,
})
