import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import { linksIn, openLink, type StoredLink } from '../links/store.ts'
import { openAck, openMessage } from '../messages/store.ts'
import type { Ack, Message } from '../messages/message.ts'

/** Pages through the records of a vault, by id. */

export async function listIdsAfter(
  db: Reader,
  scope: VaultScope,
  table: 'notes' | 'memories',
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom(table)
    .select('id')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** The notes that have former versions. */
export function listNoteVersionsAfter(
  db: Reader,
  scope: VaultScope,
  after: string,
  limit: number,
): Promise<{ noteId: string }[]> {
  return db
    .selectFrom('noteVersions')
    .select('noteId')
    .distinct()
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('noteId', '>', after)
    .orderBy('noteId')
    .limit(limit)
    .execute()
}

/** The memories that have former texts. */
export function listMemoryVersionsAfter(
  db: Reader,
  scope: VaultScope,
  after: string,
  limit: number,
): Promise<{ memoryId: string }[]> {
  return db
    .selectFrom('memoryVersions')
    .select('memoryId')
    .distinct()
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('memoryId', '>', after)
    .orderBy('memoryId')
    .limit(limit)
    .execute()
}

export async function listLinksAfter(
  db: Reader,
  scope: VaultScope,
  after: string,
  limit: number,
): Promise<StoredLink[]> {
  const rows = await linksIn(db, scope).selectAll().where('id', '>', after).orderBy('id').limit(limit).execute()
  return rows.map((row) => openLink(scope, row))
}

/** The links between these records. */
export async function listLinksAmong(db: Reader, scope: VaultScope, ids: readonly string[]): Promise<StoredLink[]> {
  if (ids.length === 0) return []
  const rows = await linksIn(db, scope)
    .selectAll()
    .where('sourceId', 'in', ids)
    .where('targetId', 'in', ids)
    .orderBy('id')
    .execute()
  return rows.map((row) => openLink(scope, row))
}

export async function listMessagesAfter(
  db: Reader,
  scope: VaultScope,
  after: string,
  limit: number,
): Promise<{ message: Message; acks: Ack[] }[]> {
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const acks = await db
    .selectFrom('messageAcks')
    .selectAll()
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('messageId', 'in', ids)
    .orderBy('acknowledgedAt')
    .execute()
  return rows.map((row) => ({
    message: openMessage(scope, row),
    acks: acks.filter(({ messageId }) => messageId === row.id).map((ack) => openAck(scope, ack)),
  }))
}

/** When memories were superseded, by id. */
export async function findSupersededAt(
  db: Reader,
  scope: VaultScope,
  ids: readonly string[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('indexEntries')
    .select(['itemId', 'supersededAt'])
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('itemId', 'in', ids)
    .where('supersededAt', 'is not', null)
    .execute()
  return new Map(rows.map(({ itemId, supersededAt }) => [itemId, supersededAt ?? 0]))
}
