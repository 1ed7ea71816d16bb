import { sql } from 'kysely'
import { type Reader, storeClock, type Tx } from '../db/dialect.ts'

/**
 * The servers that run on one database and their root keys, as they announce them every few seconds. Times come from the store's
 * clock: the servers' clocks differ, and a server whose clock is a minute off would not see the others.
 */

/** A server that was silent this long counts as stopped. */
const silentMs = 60_000

interface AnnouncedServer {
  id: string
  name: string
  rootKeyIds: readonly string[]
}

export async function announce(tx: Tx, { rootKeyIds, ...server }: AnnouncedServer): Promise<void> {
  const row = { ...server, rootKeyIds: rootKeyIds.join(' '), seenAt: storeClock(tx) }
  await tx
    .insertInto('servers')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
  await tx.deleteFrom('servers').where('seenAt', '<', lastHeard(tx)).execute()
}

export async function withdraw(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('servers').where('id', '=', id).execute()
}

/** The names of running servers. */
export async function listServers(db: Reader): Promise<string[]> {
  const running = db.selectFrom('servers').select('name').where('seenAt', '>=', lastHeard(db))
  return (await running.orderBy('name').execute()).map(({ name }) => name)
}

/** The names of running servers, apart from `serverId`, that don't have this root key. */
export async function listServersWithout(db: Reader, rootKeyId: string, serverId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('servers')
    .select(['name', 'rootKeyIds'])
    .where('seenAt', '>=', lastHeard(db))
    .where('id', '<>', serverId)
    .orderBy('name')
    .execute()
  return rows.filter(({ rootKeyIds }) => !rootKeyIds.split(' ').includes(rootKeyId)).map(({ name }) => name)
}

const lastHeard = (db: Reader) => sql<number>`${storeClock(db)} - ${silentMs}`
