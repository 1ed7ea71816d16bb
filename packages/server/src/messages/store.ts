import { exactTag } from '../crypto/hash.ts'
import { asSealed, CellError, openJson, openText, sealJson, sealText, type CellAddress } from '../crypto/cell.ts'
import { tagKeys, type VaultScope } from '../crypto/keys.ts'
import type { Database, Reader, Tx } from '../db/dialect.ts'
import type { MessageAcksTable, MessagesTable } from '../db/tables/messages.ts'
import { lockVaultRow } from '../vault-index/stored/store.ts'
import type { Ack, Category, Envelope, Message, Party, TargetType, Template } from './message.ts'

/** Rows of messages and acknowledgements, sealed and opened. Every query filters by owner and vaults. */

export async function insertMessage(
  tx: Tx,
  scope: VaultScope,
  message: Message,
  externalWriteId: string | undefined,
): Promise<void> {
  const {
    messageId,
    vaultId: _vault,
    subject,
    content,
    isImported,
    template,
    parentMessageId,
    integrationId,
    ...columns
  } = message
  await tx
    .insertInto('messages')
    .values({
      ...columns,
      id: messageId,
      userId: scope.userId,
      vaultId: scope.id,
      template: template ?? null,
      parentMessageId: parentMessageId ?? null,
      integrationId: integrationId ?? null,
      externalTag: externalWriteId === undefined ? null : externalTag(scope, externalWriteId),
      body: sealJson(scope.keys, 'content', bodyAddress(scope, messageId), { subject, content, isImported }),
    })
    .execute()
}

/** The message first sent with this idempotency key. */
export async function findByExternalWriteId(
  db: Reader,
  scope: VaultScope,
  externalWriteId: string | undefined,
): Promise<Envelope | undefined> {
  if (externalWriteId === undefined) return undefined
  const row = await db
    .selectFrom('messages')
    .selectAll()
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('externalTag', '=', externalTag(scope, externalWriteId))
    .executeTakeFirst()
  return row && envelopeOf(row)
}

/** Unexpired messages in these vaults, to any recipient, in no particular order. */
export async function findEnvelopes(
  db: Reader,
  { userId, vaultIds, at }: { userId: string; vaultIds: readonly string[]; at: number },
  ids: readonly string[],
): Promise<Envelope[]> {
  if (ids.length === 0 || vaultIds.length === 0) return []
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where('userId', '=', userId)
    .where('id', 'in', ids)
    .where('vaultId', 'in', vaultIds)
    .where('expiresAt', '>', at)
    .execute()
  return rows.map(envelopeOf)
}

/** Rows that `openMessages` opens with the keys of their vaults. */
export interface SealedMessages {
  rows: readonly MessagesTable[]
  acks: ReadonlyMap<string, MessageAcksTable>
}

/** Opens messages, in the order of the rows. Leaves out rows of vaults without a key here. */
export function openMessages(
  scopes: ReadonlyMap<string, VaultScope>,
  { rows, acks }: SealedMessages,
): { message: Message; ack: Ack | undefined }[] {
  return rows.flatMap((row) => {
    const scope = scopes.get(row.vaultId)
    if (scope === undefined) return []
    const ack = acks.get(row.id)
    return { message: openForInbox(scope, row), ack: ack && openAck(scope, ack) }
  })
}

/** When the party acknowledged each of these messages, all in one vault. */
export async function findAckTimes(
  db: Reader,
  { id, userId }: { id: string; userId: string },
  party: Party,
  messageIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('messageAcks')
    .select(['messageId', 'acknowledgedAt'])
    .where('userId', '=', userId)
    .where('vaultId', '=', id)
    .where('messageId', 'in', messageIds)
    .where('recipientType', '=', party.type)
    .where('recipientId', '=', party.id)
    .execute()
  return new Map(rows.map(({ messageId, acknowledgedAt }) => [messageId, acknowledgedAt]))
}

/** At most a few thousand. */
export async function insertAcks(tx: Tx, scope: VaultScope, acks: readonly Ack[]): Promise<void> {
  if (acks.length === 0) return
  const rows = acks.map(({ messageId, by, integrationId, note, at }) => ({
    userId: scope.userId,
    vaultId: scope.id,
    messageId,
    recipientType: by.type,
    recipientId: by.id,
    note: note === undefined ? null : sealText(scope.keys, 'content', noteAddress(scope, messageId, by), note),
    acknowledgedAt: at,
    integrationId: integrationId ?? null,
  }))
  await tx.insertInto('messageAcks').values(rows).execute()
}

const purgedAtOnce = 500

/**
 * Deletes a vault's messages that were sent before `before`, and their acknowledgements: at most 500 per transaction.
 * Returns how many; fewer than 500 means that there are no more.
 */
export function purgeMessages(
  db: Database,
  { userId, vaultId }: { userId: string; vaultId: string },
  before: number,
): Promise<number> {
  return db.write(async (tx) => {
    // The lock keeps others from replying to or acknowledging them meanwhile.
    if (!(await lockVaultRow(tx, userId, vaultId))) return 0
    const rows = await tx
      .selectFrom('messages')
      .select('id')
      .where('userId', '=', userId)
      .where('vaultId', '=', vaultId)
      .where('createdAt', '<', before)
      .limit(purgedAtOnce)
      .execute()
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return 0
    await deleteMessages(tx, { userId, vaultId }, ids)
    await tx
      .updateTable('vaults')
      .set({ messagesPurgedTo: before })
      .where('userId', '=', userId)
      .where('id', '=', vaultId)
      .where((vault) => vault.or([vault('messagesPurgedTo', 'is', null), vault('messagesPurgedTo', '<', before)]))
      .execute()
    return ids.length
  })
}

/** Deletes messages with their acknowledgements; replies to them stay. The caller holds the vault's lock. */
export async function deleteMessages(
  tx: Tx,
  { userId, vaultId }: { userId: string; vaultId: string },
  ids: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('messageAcks')
    .where('userId', '=', userId)
    .where('vaultId', '=', vaultId)
    .where('messageId', 'in', ids)
    .execute()
  await tx
    .deleteFrom('messages')
    .where('userId', '=', userId)
    .where('vaultId', '=', vaultId)
    .where('id', 'in', ids)
    .execute()
}

const envelopeOf = (row: MessagesTable): Envelope => ({
  messageId: row.id,
  vaultId: row.vaultId,
  fromAgentId: row.fromAgentId,
  senderType: row.senderType as Party['type'],
  integrationId: row.integrationId ?? undefined,
  targetId: row.targetId,
  targetType: row.targetType as TargetType,
  category: row.category as Category,
  priority: row.priority,
  template: (row.template ?? undefined) as Template | undefined,
  parentMessageId: row.parentMessageId ?? undefined,
  threadId: row.threadId,
  expiresAt: row.expiresAt,
  createdAt: row.createdAt,
})

export function openMessage(scope: VaultScope, row: MessagesTable): Message {
  const body = openJson(scope.keys, 'content', bodyAddress(scope, row.id), asSealed(row.body))
  return { ...envelopeOf(row), ...(body as Pick<Message, 'subject' | 'content' | 'isImported'>) }
}

/** A damaged message must not hide the others of an inbox. What isn't in its text is intact. */
function openForInbox(scope: VaultScope, row: MessagesTable): Message {
  try {
    return openMessage(scope, row)
  } catch (error) {
    // A key that isn't known here can be a new one of another server.
    if (!(error instanceof CellError) || error.reason === 'unknown_generation') throw error
    return { ...envelopeOf(row), subject: undefined, content: damagedText }
  }
}

const damagedText = '(This message is damaged and can’t be read. Restore a backup, or delete it.)'

export function openAck(scope: VaultScope, row: MessageAcksTable): Ack {
  const by: Party = { type: row.recipientType as Party['type'], id: row.recipientId }
  const note =
    row.note === null
      ? undefined
      : openText(scope.keys, 'content', noteAddress(scope, row.messageId, by), asSealed(row.note))
  return { messageId: row.messageId, by, integrationId: row.integrationId ?? undefined, note, at: row.acknowledgedAt }
}

const bodyAddress = ({ id, userId }: VaultScope, messageId: string): CellAddress => ({
  userId,
  scopeId: id,
  table: 'messages',
  rowId: messageId,
  column: 'body',
  revision: 1,
})

// The recipient is part of the row's key and so of the cell's address: a note can't be moved to another recipient.
const noteAddress = ({ id, userId }: VaultScope, messageId: string, by: Party): CellAddress => ({
  userId,
  scopeId: id,
  table: 'messageAcks',
  rowId: messageId,
  column: `note ${by.type} ${by.id}`,
  revision: 1,
})

const externalTag = ({ keys }: VaultScope, externalWriteId: string): Buffer =>
  exactTag(tagKeys(keys).exact, 'message externalWriteId', externalWriteId)
