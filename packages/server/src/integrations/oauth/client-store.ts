import { type CellAddress, openIntactJson, sealJson } from '../../crypto/cell.ts'
import type { Reader, Tx } from '../../db/dialect.ts'
import type { Instance } from '../../instance/instance.ts'
import type { ClientMetadata } from './client.ts'

/** Stores programs that registered. Names and addresses are sealed, because programs may put anything into them. */

interface StoredClient {
  id: string
  createdAt: number
  expiresAt: number
  metadata: ClientMetadata
}

export async function insertClient(tx: Tx, instance: Instance, client: StoredClient): Promise<void> {
  const metadata = sealJson(instance.keys, 'content', address(instance, client.id), client.metadata)
  await tx
    .insertInto('oauthClients')
    .values({ ...client, metadata })
    .execute()
}

export async function findClientMetadata(
  db: Reader,
  instance: Instance,
  id: string,
  now: number,
): Promise<ClientMetadata | undefined> {
  const row = await db
    .selectFrom('oauthClients')
    .select('metadata')
    .where('id', '=', id)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row && (openIntactJson(instance, address(instance, id), row.metadata) as ClientMetadata | undefined)
}

/** Programs that nobody has allowed yet expire at `unusedUntil` or earlier, others much later. */
export async function countUnusedClients(db: Reader, unusedUntil: number): Promise<number> {
  const { total } = await db
    .selectFrom('oauthClients')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('expiresAt', '<=', unusedUntil)
    .executeTakeFirstOrThrow()
  return total
}

/** Never earlier than before. */
export async function extendClient(tx: Tx, id: string, expiresAt: number): Promise<void> {
  await tx
    .updateTable('oauthClients')
    .set({ expiresAt })
    .where('id', '=', id)
    .where('expiresAt', '<', expiresAt)
    .execute()
}

export async function deleteExpiredClients(tx: Tx, now: number): Promise<void> {
  await tx.deleteFrom('oauthClients').where('expiresAt', '<=', now).execute()
}

/** The one that would be forgotten next. */
export async function deleteOldestClient(tx: Tx): Promise<void> {
  const oldest = tx.selectFrom('oauthClients').select('id').orderBy('expiresAt').orderBy('id').limit(1)
  await tx.deleteFrom('oauthClients').where('id', '=', oldest).execute()
}

/** Programs belong to no user, so the instance stands for one. */
const address = (instance: Instance, id: string): CellAddress => ({
  userId: instance.id,
  scopeId: instance.id,
  table: 'oauthClients',
  rowId: id,
  column: 'metadata',
  revision: 1,
})
