import { dayMs } from '../core/time.ts'
import { exactTag } from '../crypto/blind.ts'
import { asSealed, openJson, sealJson, type CellAddress } from '../crypto/cell.ts'
import { tagKeys, type VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import { lockVault } from '../vault-index/lock-store.ts'

/** What sessions leave behind for the next: how far an agent knew the vault, and what its checkpoints were answered. */

/** Where an agent's last session-start or context-checkpoint left the vault. */
export interface SessionMark {
  at: number
  /** The vault's change number of that moment. */
  seq: number
}

export async function findMark(db: Reader, scope: VaultScope, agentId: string): Promise<SessionMark | undefined> {
  return db
    .selectFrom('sessionMarks')
    .select(['at', 'seq'])
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('agentTag', '=', agentTag(scope, agentId))
    .executeTakeFirst()
}

/** Moves the agent's mark; with `summaryMemoryId` also says where its latest session summary lies. False where the vault is gone. */
export async function setMark(
  tx: Tx,
  scope: VaultScope,
  agentId: string,
  { at, seq }: SessionMark,
  summaryMemoryId?: string,
): Promise<boolean> {
  // Nothing is left behind in a vault that was erased meanwhile.
  if (!(await lockVault(tx, scope.userId, scope.id))) return false
  const summary = summaryMemoryId === undefined ? {} : { summaryMemoryId, summaryAt: at }
  await tx
    .insertInto('sessionMarks')
    .values({
      userId: scope.userId,
      vaultId: scope.id,
      agentTag: agentTag(scope, agentId),
      summaryMemoryId: null,
      summaryAt: null,
      at,
      seq,
      ...summary,
    })
    // Of two sessions at once the one that knew less may be the last to write.
    .onConflict((conflict) =>
      conflict.columns(['userId', 'vaultId', 'agentTag']).doUpdateSet((row) => ({
        at: row.case().when('sessionMarks.at', '>', at).then(row.ref('sessionMarks.at')).else(at).end(),
        seq: row.case().when('sessionMarks.seq', '>', seq).then(row.ref('sessionMarks.seq')).else(seq).end(),
        ...summary,
      })),
    )
    .execute()
  return true
}

/** The live memories that hold the vault's latest session summaries, of whichever agents, the newest first. */
export async function listSummaryIds(db: Reader, scope: VaultScope, limit: number, at: number): Promise<string[]> {
  const rows = await db
    .selectFrom('sessionMarks as mark')
    .innerJoin('memories as memory', (join) =>
      join.onRef('memory.userId', '=', 'mark.userId').onRef('memory.id', '=', 'mark.summaryMemoryId'),
    )
    .select('memory.id')
    .where('mark.userId', '=', scope.userId)
    .where('mark.vaultId', '=', scope.id)
    .where('mark.summaryAt', 'is not', null)
    .where('memory.archivedAt', 'is', null)
    .where('memory.supersededById', 'is', null)
    .where((where) => where.or([where('memory.expiresAt', 'is', null), where('memory.expiresAt', '>', at)]))
    .orderBy('mark.summaryAt', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Names one checkpoint: equal ones of one vault have equal names, which tell nothing without the vault's key. */
export const checkpointTag = ({ keys }: VaultScope, payload: string): Buffer =>
  exactTag(tagKeys(keys).exact, 'context-checkpoint', payload)

export async function findCheckpoint(db: Reader, scope: VaultScope, tag: Buffer): Promise<unknown> {
  const row = await db
    .selectFrom('checkpoints')
    .select('answer')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('tag', '=', tag)
    .executeTakeFirst()
  return row && openJson(scope.keys, 'content', answerAddress(scope, tag), asSealed(row.answer))
}

/** Nobody repeats a call so much later; and if, what it would store is there. */
const keptMs = 30 * dayMs

/** Also forgets what is older than 30 days. False where the same checkpoint was answered meanwhile. */
export async function insertCheckpoint(
  tx: Tx,
  scope: VaultScope,
  tag: Buffer,
  { answer, at }: { answer: object; at: number },
): Promise<boolean> {
  await tx
    .deleteFrom('checkpoints')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('createdAt', '<', at - keptMs)
    .execute()
  const [row] = await tx
    .insertInto('checkpoints')
    .values({
      userId: scope.userId,
      vaultId: scope.id,
      tag,
      answer: sealJson(scope.keys, 'content', answerAddress(scope, tag), answer),
      createdAt: at,
    })
    .onConflict((conflict) => conflict.columns(['userId', 'vaultId', 'tag']).doNothing())
    .returning('createdAt')
    .execute()
  return row !== undefined
}

const agentTag = ({ keys }: VaultScope, agentId: string): Buffer =>
  exactTag(tagKeys(keys).exact, 'session agent', agentId)

// A checkpoint has no id of its own; its tag is the key of its row.
const answerAddress = ({ id, userId }: VaultScope, tag: Buffer): CellAddress => ({
  userId,
  scopeId: id,
  table: 'checkpoints',
  rowId: id,
  column: `answer ${tag.toString('hex')}`,
  revision: 1,
})
