import type { KeyObject } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { replaceDurably } from '../core/durable-file.ts'
import { newId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import { commandLine } from '../core/program.ts'
import type { OnDamage } from '../crypto/cell.ts'
import { createRandomKey, keyCheckValue, KeyWrapError, type RootKeys, unwrapKey, wrapKey } from '../crypto/keys.ts'
import { equalBytes } from '../crypto/secrets.ts'
import type { Database } from '../db/dialect.ts'
import { StoreError } from '../db/store-error.ts'
import {
  createRootKeys,
  isFileSource,
  type LoadedRootKeys,
  loadRootKeys,
  type RootKeySource,
} from './root-key-source.ts'
import { type InstanceKeys, instanceKeys } from './instance-key.ts'
import { findFormerKey } from './root-key-file.ts'
import { countWrapsUnder } from './wrap-store.ts'

/**
 * The identity of this installation: an id, the root keys, and the instance key, which seals data that belongs to no
 * vault (email addresses, names of integrations). The id is also in a file next to the database, so an emptied or
 * swapped database is noticed and not treated as a first start.
 */
export interface Instance {
  id: string
  /** This process, among the servers that use the instance. */
  serverId: string
  /** Changes when the key file gets more keys, so never keep a reference to this object. */
  rootKeys: RootKeys
  rootKeyOrigin: string
  rootKeySource: RootKeySource
  /** Changes when another generation seals, so never keep a reference to it either. */
  keys: InstanceKeys
  /** Told of each cell or wrapped key that doesn't open although it could be done without. */
  onDamage: OnDamage
}

/** Logs each damaged cell once. */
export function logDamage(log: Log): Instance['onDamage'] {
  const logged = new Set<string>()
  return ({ table, column, userId, rowId, revision }) => {
    const cell = `${table} ${rowId} ${column} ${revision}`
    if (logged.has(cell)) return
    logged.add(cell)
    const advice =
      table === 'vaults' || table === 'vaultKeys'
        ? 'Restore a backup, or delete the vault, with its id as its name'
        : ['memories', 'tasks', 'notes'].includes(table)
          ? 'Delete the record permanently, or restore it from a backup'
          : 'Restore the row from a backup, or save it again in the dashboard'
    log.error('cell_damaged', { userId, recordId: rowId, code: `${table}.${column}`, advice })
  }
}

export const sidecarFile = (dataDir: string) => join(dataDir, 'instance.json')
const instanceKeyVersion = 1

/** Call this before opening the database: opening would create the missing file. */
export function refuseLostDatabase(dataDir: string, hasDatabase: boolean): void {
  const id = readSidecar(dataDir)
  if (id !== undefined && !hasDatabase) throw lostDatabase(dataDir, id)
}

const lostDatabase = (dataDir: string, id: string) =>
  new StoreError(
    `The data folder ${dataDir} belongs to instance ${id}, but its database is missing or empty. Nothing was changed.\n` +
      'Put the database back (a backup, or the file that was moved), or set another HOLDFAST_DATA_DIR to start with an empty instance.',
  )

/** Call this before the migrations: they would create the missing tables. */
export async function refuseMissingInstance(db: Database): Promise<void> {
  const tables = await db.read.introspection.getTables()
  if (tables.some(({ name }) => name === 'instance') && (await findInstance(db)) !== undefined) return
  throw new StoreError(
    `No Holdfast instance in the database. Create one with \`${commandLine} setup\`, or start the server on it.`,
    { kind: 'missing' },
  )
}

/** Loads the instance of a migrated database, or creates one in an empty database. */
export async function openInstance(db: Database, dataDir: string, source: RootKeySource): Promise<Instance> {
  // Read before the row, which is written before the file: a file without a row means that the row is gone, not that it is still to come.
  const sidecarId = readSidecar(dataDir)
  const row = await findInstance(db)
  if (row !== undefined && sidecarId !== undefined && row.id !== sidecarId)
    throw new StoreError(
      `The database belongs to instance ${row.id}, but the data folder ${dataDir} to ${sidecarId}. Nothing was changed. Use the database and the data folder of the same instance.`,
    )
  if (row === undefined) {
    if (sidecarId !== undefined) throw lostDatabase(dataDir, sidecarId)
    // Several processes may start on one empty PostgreSQL: the first creates the instance, the others load it.
    await db.withMigrationLock(() => createInstance(db, dataDir, source))
    return openInstance(db, dataDir, source)
  }
  const loaded = loadRootKeys(source, row.id)
  refuseWrongRootKey(loaded, row.rootKeyId, row.rootKeyCheck)
  await refuseMissingFormerKey(db, loaded, row.formerRootKeyId)
  const instanceKey = unwrapKey(loaded.keys.byId, row.wrappedInstanceKey, instanceKeyContext(row.id))
  if (sidecarId === undefined) writeSidecar(dataDir, row.id)
  return assemble(row, source, loaded, instanceKey)
}

/** Also for tables of an older version. Undefined if no instance was created yet. */
export const findInstanceId = async (db: Database): Promise<string | undefined> => (await findInstance(db))?.id

const findInstance = (db: Database) => db.read.selectFrom('instance').selectAll().executeTakeFirst()

// In this order, a crash leaves at most an unused key file.
async function createInstance(db: Database, dataDir: string, source: RootKeySource): Promise<void> {
  if ((await findInstance(db)) !== undefined) return
  const id = newId()
  const { primary } = createRootKeys(source, id).keys
  await db.write(async (tx) => {
    await tx
      .insertInto('instance')
      .values({
        id,
        createdAt: Date.now(),
        rootKeyId: primary.id,
        rootKeyCheck: keyCheckValue(primary.key),
        wrappedInstanceKey: wrapKey(primary, createRandomKey(), instanceKeyContext(id)),
        instanceKeyGeneration: 1,
        instanceKeySeals: 0,
      })
      .execute()
  })
  writeSidecar(dataDir, id)
}

/** The context that the instance key is wrapped with. */
export const instanceKeyContext = (id: string) =>
  ({ instanceId: id, userId: id, holderKind: 'instance', holderId: id, version: instanceKeyVersion }) as const

const assemble = (
  row: { id: string; instanceKeyGeneration: number },
  source: RootKeySource,
  loaded: LoadedRootKeys,
  key: KeyObject,
): Instance => ({
  id: row.id,
  serverId: newId(),
  rootKeys: loaded.keys,
  rootKeyOrigin: loaded.origin,
  rootKeySource: source,
  keys: instanceKeys(row.id, key, row.instanceKeyGeneration),
  onDamage: () => undefined,
})

function refuseWrongRootKey({ keys, origin, file }: LoadedRootKeys, id: string, check: Uint8Array): void {
  const key = keys.byId.get(id)
  if (key !== undefined && equalBytes(keyCheckValue(key.key), check)) return
  const former = file === undefined ? undefined : findFormerKey(file, id)
  throw new StoreError(
    `The root key from ${origin} is not the one that encrypts this database (that key has the id ${id}).\n` +
      (former === undefined
        ? 'Nothing was changed. Provide the right key: no other key can read the data.'
        : `Nothing was changed. That key was replaced; to use it, set HOLDFAST_ROOT_KEY_FILE=${former}`),
  )
}

/** During a rotation both keys are needed, until nothing is wrapped under the former one. */
async function refuseMissingFormerKey(db: Database, { keys, origin }: LoadedRootKeys, id: string | null) {
  if (id === null || keys.byId.has(id) || (await countWrapsUnder(db.read, id)) === 0) return
  throw new StoreError(
    `The rotation of the root key is not finished: the previous key (id ${id}) is still needed, and ${origin} does not contain it.\n` +
      'Nothing was changed. Provide both keys, the new one first, and start again: the rotation then continues by itself.',
  )
}

/** The id of the instance that a data folder belongs to; undefined if the folder has no id. */
export function readSidecar(dataDir: string): string | undefined {
  const file = sidecarFile(dataDir)
  if (!existsSync(file)) return undefined
  const id = /"instanceId":\s*"([0-9a-f-]{36})"/.exec(readFileSync(file, 'utf8'))?.[1]
  if (id === undefined)
    throw new StoreError(
      `${file} is damaged; it contains the id of the instance that this folder belongs to. Restore it from a backup.\n` +
        'If you are sure that the database is the right one, you can delete the file instead: it is then written again.',
    )
  return id
}

export const writeSidecar = (dataDir: string, id: string): void =>
  replaceDurably(sidecarFile(dataDir), `${JSON.stringify({ instanceId: id, folder: folderId(dataDir) })}\n`)

/** A folder's own number, which a copy of it doesn't have. Without the disk's: that may change when a machine starts. */
const folderId = (dataDir: string) => String(statSync(dataDir, { bigint: true }).ino)

/** For a server with the embedded store, whose data is in the folder. */
export function warnOfCopy({ dataDir, instance, log }: { dataDir: string; instance: Instance; log: Log }): void {
  if (noticeCopy(dataDir, instance))
    log.warn('this data folder is a copy: what is stored here and in the original from now on will differ')
}

/** Whether the folder was copied from another one since its id was last written. Writes it again, so this is true once. */
function noticeCopy(dataDir: string, { id }: Pick<Instance, 'id'>): boolean {
  const known = /"folder":\s*"(\d+)"/.exec(readFileSync(sidecarFile(dataDir), 'utf8'))?.[1]
  if (known === folderId(dataDir)) return false
  writeSidecar(dataDir, id)
  return known !== undefined
}

/**
 * Throws a StoreError if the present root keys don't open a copied database. `keysOf` gets the instance id of the copy.
 */
export async function refuseForeignCopy(copy: Database, keysOf: (instanceId: string) => LoadedRootKeys): Promise<void> {
  const row = await findInstance(copy)
  if (row === undefined) throw new StoreError('This copy contains no Holdfast instance.')
  const loaded = keysOf(row.id)
  refuseWrongRootKey(loaded, row.rootKeyId, row.rootKeyCheck)
  // Older copies don't have this column.
  await refuseMissingFormerKey(copy, loaded, row.formerRootKeyId ?? null)
  try {
    unwrapKey(loaded.keys.byId, row.wrappedInstanceKey, instanceKeyContext(row.id))
  } catch (error) {
    if (!(error instanceof KeyWrapError)) throw error
    throw new StoreError('The root key does not open the keys in this copy: they were replaced.', { cause: error })
  }
}

/**
 * Adds the keys that the key file contains now. Keys in memory stay until the next start: running calls may need them. Keys from
 * settings don't change.
 */
export function rereadRootKeys(instance: Instance): void {
  if (!isFileSource(instance.rootKeySource)) return
  const { primary, byId } = loadRootKeys(instance.rootKeySource, instance.id).keys
  instance.rootKeys = { primary, byId: new Map([...instance.rootKeys.byId, ...byId]) }
}
