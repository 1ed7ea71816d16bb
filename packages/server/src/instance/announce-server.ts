import { hostname } from 'node:os'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import { type Migration, refuseForeignSchema } from '../db/migrate.ts'
import { StoreError } from '../db/store-error.ts'
import { type Instance, rereadRootKeys } from './instance.ts'
import { lockRootKeyState } from './root-key-store.ts'
import { announce, withdraw } from './server-store.ts'

const usualMs = 5_000

interface Deps {
  db: Database
  instance: Instance
  log: Log
}

/**
 * Tells other servers of the same database which root keys this one has, so nobody switches to a key that a server lacks.
 * Also rereads this server's key file. Refuses a database that isn't of these migrations: a newer version that saw no server may have changed
 * the tables since this one read their journal. From now on, it sees this one.
 */
export async function announceServer(
  { db, instance, log }: Deps,
  known: readonly Migration[],
  everyMs = usualMs,
): Promise<{ stop(): Promise<void> }> {
  const id = instance.serverId
  const name = `${hostname()} (process ${process.pid})`
  const say = () =>
    db.write(async (tx) => {
      // Locked, so the key can't change between the check and the announcement.
      const { current } = await lockRootKeyState(tx)
      await announce(tx, { id, name, rootKeyIds: [...instance.rootKeys.byId.keys()] })
      return instance.rootKeys.byId.has(current)
    })
  const lacksKey = 'the root key was replaced, and this server does not have the new one'
  if (!(await say()))
    throw new StoreError(`${lacksKey.replace('the', 'The')}. Give this server the new key and start it again.`)
  const leave = () => db.write((tx) => withdraw(tx, id))
  await refuseForeignSchema(db, known).catch(async (error: unknown) => {
    await leave()
    throw error
  })
  let saying: Promise<void> | undefined
  const timer = setInterval(() => {
    saying ??= Promise.resolve()
      .then(() => rereadRootKeys(instance))
      .then(say)
      .then((hasKey) => {
        if (!hasKey) log.error(`${lacksKey}: restart the server with that key`)
      })
      .catch((error: unknown) => log.warn('could not announce this server to the others', { error }))
      .finally(() => (saying = undefined))
  }, everyMs).unref()
  return {
    async stop() {
      clearInterval(timer)
      await saying
      await leave().catch((error: unknown) => {
        log.debug('could not tell the other servers that this one stops', { error })
      })
    },
  }
}
