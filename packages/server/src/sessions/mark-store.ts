import type { ExpressionBuilder } from 'kysely'
import { dayMs } from '../core/time.ts'
import { exactTag } from '../crypto/hash.ts'
import { asSealed, openJson, sealJson, type CellAddress } from '../crypto/cell.ts'
import { tagKeys, type VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { Tables } from '../db/schema.ts'
import { lockVault } from '../vault-index/stored/store.ts'

/** State that sessions keep for the next one: how far each agent has seen the vault, and the answers to its checkpoints. */

/** The state of the vault at an agent's last session-start or context-checkpoint. */
export interface SessionMark {
  at: number
  /** The vault's seq at that time. */
  seq: number
}

/** Whose mark: agents of other integrations that give the same name have their own. */
export interface Marker {
  integrationId: string
  agentId: string
}

/** The agent's mark from before this run, so a run that starts twice gets the same changes. Undefined if there is none. */
export async function findMark(
  db: Reader,
  scope: VaultScope,
  marker: Marker,
  run: string,
): Promise<SessionMark | undefined> {
  const row = await db
    .selectFrom('sessionMarks')
    .select(['at', 'seq', 'runTag', 'sinceAt', 'sinceSeq'])
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('agentTag', '=', markerTag(scope, marker))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { at, seq, sinceAt, sinceSeq } = row
  if (row.runTag === null || !runTag(scope, run).equals(row.runTag)) return { at, seq }
  return sinceAt === null || sinceSeq === null ? undefined : { at: sinceAt, seq: sinceSeq }
}

/** What moves the mark: a run that starts, or a checkpoint, possibly with a summary. */
type MarkedBy = { run: string } | { summaryMemoryId: string | undefined }

/** Moves the agent's mark. Throws if the vault no longer exists. */
export async function setMark(
  tx: Tx,
  scope: VaultScope,
  marker: Marker,
  { at, seq, by }: SessionMark & { by: MarkedBy },
): Promise<void> {
  await lockVault(tx, scope)
  const tag = 'run' in by ? runTag(scope, by.run) : null
  const summaryMemoryId = 'run' in by ? undefined : by.summaryMemoryId
  const summary = summaryMemoryId === undefined ? {} : { summaryMemoryId, summaryAt: at }
  await tx
    .insertInto('sessionMarks')
    .values({
      userId: scope.userId,
      vaultId: scope.id,
      agentTag: markerTag(scope, marker),
      summaryMemoryId: null,
      summaryAt: null,
      at,
      seq,
      runTag: tag,
      sinceAt: null,
      sinceSeq: null,
      ...summary,
    })
    // With two concurrent sessions, the one with the older state may write last.
    .onConflict((conflict) =>
      conflict.columns(['userId', 'vaultId', 'agentTag']).doUpdateSet((row) => ({
        at: row.case().when('sessionMarks.at', '>', at).then(row.ref('sessionMarks.at')).else(at).end(),
        seq: row.case().when('sessionMarks.seq', '>', seq).then(row.ref('sessionMarks.seq')).else(seq).end(),
        runTag: tag,
        ...(tag !== null && keepStart(row, tag)),
        ...summary,
      })),
    )
    .execute()
}

/** A run that starts again keeps its original starting point. */
const keepStart = (row: ExpressionBuilder<Tables, 'sessionMarks'>, tag: Buffer) => {
  const kept = row.case().when('sessionMarks.runTag', '=', tag)
  return {
    sinceAt: kept.then(row.ref('sessionMarks.sinceAt')).else(row.ref('sessionMarks.at')).end(),
    sinceSeq: kept.then(row.ref('sessionMarks.sinceSeq')).else(row.ref('sessionMarks.seq')).end(),
  }
}

/** The live memories with the vault's latest session summaries, from any agent, newest first. */
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

/** Identifies a checkpoint: equal ones in a vault have equal tags, which reveal nothing without the vault's key. */
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

/** Retries come much sooner. A later one still finds the memories by their idempotency keys. */
const keptMs = 30 * dayMs

/** Also deletes answers older than 30 days. Returns false if a concurrent call stored the same checkpoint. */
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

const runTag = ({ keys }: VaultScope, run: string): Buffer => exactTag(tagKeys(keys).exact, 'session run', run)

const markerTag = ({ keys }: VaultScope, { integrationId, agentId }: Marker): Buffer =>
  exactTag(tagKeys(keys).exact, 'session agent', `${integrationId} ${agentId}`)

// A checkpoint has no id. Its tag is the row's key.
const answerAddress = ({ id, userId }: VaultScope, tag: Buffer): CellAddress => ({
  userId,
  scopeId: id,
  table: 'checkpoints',
  rowId: id,
  column: `answer ${tag.toString('hex')}`,
  revision: 1,
})
