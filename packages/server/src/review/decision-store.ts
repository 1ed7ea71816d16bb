import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'

/** Review items that a person decided to keep, so they don't come back. */

/** Kinds of items that a person keeps by such a decision. */
const keptKinds = ['contradiction', 'duplicate', 'unsure', 'changed'] as const
export type KeptKind = (typeof keptKinds)[number]

export const reviewKinds = ['proposal', ...keptKinds, 'removed'] as const
export type ReviewKind = (typeof reviewKinds)[number]

/** `agent`: an agent whose low-confidence memories need no review. Its id is stored in place of a memory's id. */
export type DecisionKind = KeptKind | 'agent'

/** One memory or agent, or two memories in any order. */
export type ReviewSubject = readonly [string] | readonly [string, string]

/** The same for both orders. */
export const nameOf = (looked: ReviewSubject): string => looked.toSorted().join(' ')

/** Whether a person decided to keep these two, or one of them with any other. */
export const isDecided = (decided: ReadonlySet<string>, pair: readonly [string, string]): boolean =>
  decided.has(nameOf(pair)) || pair.some((id) => decided.has(id))

export async function insertDecision(
  tx: Tx,
  scope: VaultScope,
  { kind, looked, at }: { kind: DecisionKind; looked: ReviewSubject; at: number },
): Promise<void> {
  await tx
    .insertInto('reviewDecisions')
    .values({ userId: scope.userId, vaultId: scope.id, kind, ...endsOf(looked), at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteDecision(
  tx: Tx,
  scope: VaultScope,
  kind: DecisionKind,
  looked: ReviewSubject,
): Promise<void> {
  const { firstId, secondId } = endsOf(looked)
  await decisionsIn(tx, scope, kind).where('firstId', '=', firstId).where('secondId', '=', secondId).execute()
}

const decisionsIn = (tx: Tx, scope: VaultScope, kind: DecisionKind) =>
  tx
    .deleteFrom('reviewDecisions')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('kind', '=', kind)

/**
 * Takes along what a person decided about single memories that move to another vault. Decisions about similar or contradicting
 * memories are dropped with the move, since they are about other memories of the vault, too.
 */
export async function moveDecisions(
  tx: Tx,
  [from, to]: readonly [Pick<VaultScope, 'id' | 'userId'>, Pick<VaultScope, 'id'>],
  memoryIds: readonly string[],
): Promise<void> {
  await tx
    .updateTable('reviewDecisions')
    .set({ vaultId: to.id })
    .where('userId', '=', from.userId)
    .where('vaultId', '=', from.id)
    .where('kind', 'in', ['unsure', 'changed'] satisfies KeptKind[])
    .where('firstId', 'in', memoryIds)
    .where('secondId', '=', '')
    .execute()
}

/** Returns all names at once: a person makes hundreds of decisions, rarely thousands. */
export async function listDecided(db: Reader, scope: VaultScope, kind: KeptKind): Promise<Set<string>> {
  const rows = await db
    .selectFrom('reviewDecisions')
    .select(['firstId', 'secondId'])
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('kind', '=', kind)
    .execute()
  return new Set(rows.map(({ firstId, secondId }) => (secondId === '' ? firstId : `${firstId} ${secondId}`)))
}

/** Agents whose low-confidence memories need no review, and since when; the latest first. */
export async function listTrusted(db: Reader, scope: VaultScope): Promise<{ integrationId: string; at: number }[]> {
  return db
    .selectFrom('reviewDecisions')
    .select(['firstId as integrationId', 'at'])
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('kind', '=', 'agent' satisfies DecisionKind)
    .orderBy('at', 'desc')
    .orderBy('firstId')
    .execute()
}

function endsOf(looked: ReviewSubject): { firstId: string; secondId: string } {
  const [firstId = '', secondId = ''] = looked.toSorted()
  return { firstId, secondId }
}
