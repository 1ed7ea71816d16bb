import type { KeyObject } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newId } from '../core/ids.ts'
import { commandLine } from '../core/program.ts'
import {
  createRandomKey,
  keyCheckValue,
  KeyWrapError,
  type RootKeys,
  scopeKeys,
  type ScopeKeys,
  unwrapKey,
  wrapKey,
} from '../crypto/keys.ts'
import { equalBytes } from '../crypto/secrets.ts'
import { type Database, StoreError } from '../db/dialect.ts'
import {
  createRootKeys,
  isFileSource,
  type LoadedRootKeys,
  loadRootKeys,
  type RootKeySource,
} from './root-key-source.ts'
import { countWrapsUnder } from './wrap-store.ts'

/**
 * Who this Holdfast is: an id, the root keys, and the instance key that seals what belongs to the service and not to a
 * vault (e-mail addresses, names of integrations). The id also stands in a file beside the database, so that an emptied
 * or exchanged database is noticed instead of being taken for a first start.
 */
export interface Instance {
  id: string
  /** Replaced by more where a file of keys has got more: never keep them, but ask here. */
  rootKeys: RootKeys
  rootKeyOrigin: string
  rootKeySource: RootKeySource
  keys: ScopeKeys
}

export const sidecarFile = (dataDir: string) => join(dataDir, 'instance.json')
const instanceKeyVersion = 1

/** To call before the database is opened: opening would create the file that is missed. */
export function refuseLostDatabase(dataDir: string, hasDatabase: boolean): void {
  const id = readSidecar(dataDir)
  if (id !== undefined && !hasDatabase) throw lostDatabase(dataDir, id)
}

const lostDatabase = (dataDir: string, id: string) =>
  new StoreError(
    `The data folder ${dataDir} belongs to instance ${id}, but its database is missing or empty. Nothing was changed.\n` +
      'Put the database back (a backup, or the file that was moved), or choose another HOLDFAST_DATA_DIR for a new start.',
  )

/** To call before the migrations: they would make the tables that are missed. */
export async function refuseMissingInstance(db: Database): Promise<void> {
  const tables = await db.read.introspection.getTables()
  if (tables.some(({ name }) => name === 'instance') && (await findInstance(db)) !== undefined) return
  throw new StoreError(
    `There is no Holdfast in the database. Make one there with \`${commandLine} setup\`, or start the server on it.`,
    { kind: 'missing' },
  )
}

/** Loads the instance that the migrated database belongs to, or makes one in an empty database. */
export async function openInstance(db: Database, dataDir: string, source: RootKeySource): Promise<Instance> {
  const row = await findInstance(db)
  const sidecarId = readSidecar(dataDir)
  if (row !== undefined && sidecarId !== undefined && row.id !== sidecarId)
    throw new StoreError(
      `The database belongs to instance ${row.id}, but the data folder ${dataDir} to ${sidecarId}. They were mixed up; nothing was changed.`,
    )
  if (row === undefined) {
    // The file is written after the row, so that there was one.
    if (sidecarId !== undefined) throw lostDatabase(dataDir, sidecarId)
    // Several processes may start on one empty PostgreSQL: the first makes the instance, the others load it.
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

const findInstance = (db: Database) => db.read.selectFrom('instance').selectAll().executeTakeFirst()

// In this order a crash leaves at most a key file that nothing needs.
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
      })
      .execute()
  })
  writeSidecar(dataDir, id)
}

/** Of the instance key's wrap. */
export const instanceKeyContext = (id: string) =>
  ({ instanceId: id, userId: id, holderKind: 'instance', holderId: id, version: instanceKeyVersion }) as const

const assemble = (row: { id: string }, source: RootKeySource, loaded: LoadedRootKeys, key: KeyObject): Instance => ({
  id: row.id,
  rootKeys: loaded.keys,
  rootKeyOrigin: loaded.origin,
  rootKeySource: source,
  keys: scopeKeys(row.id, [{ generation: instanceKeyVersion, key }]),
})

function refuseWrongRootKey({ keys, origin }: LoadedRootKeys, id: string, check: Uint8Array): void {
  const key = keys.byId.get(id)
  if (key === undefined || !equalBytes(keyCheckValue(key.key), check))
    throw new StoreError(
      `The root key from ${origin} is not the one that this database was sealed with (it has the id ${id}).\n` +
        'Give the right key: nothing can be read with another, and nothing was changed.',
    )
}

/** While the root key is changed both are needed, but for the last moment of it. */
async function refuseMissingFormerKey(db: Database, { keys, origin }: LoadedRootKeys, id: string | null) {
  if (id === null || keys.byId.has(id) || (await countWrapsUnder(db.read, id)) === 0) return
  throw new StoreError(
    `The change of the root key is not finished: the former one is needed as well, and ${origin} does not give it (it has the id ${id}).\n` +
      'Give both, the new one first, and start again: the change then goes on by itself. Nothing was changed.',
  )
}

/** The instance that a data folder belongs to; undefined where it says none. */
export function readSidecar(dataDir: string): string | undefined {
  const file = sidecarFile(dataDir)
  if (!existsSync(file)) return undefined
  const id = /"instanceId":\s*"([0-9a-f-]{36})"/.exec(readFileSync(file, 'utf8'))?.[1]
  if (id === undefined)
    throw new StoreError(
      `${file} cannot be understood; it says which instance this folder belongs to. Put back the one from a backup,\n` +
        'or delete it where you are sure that the database is the right one: it is then written anew.',
    )
  return id
}

export function writeSidecar(dataDir: string, id: string): void {
  const file = sidecarFile(dataDir)
  writeFileSync(`${file}.new`, `${JSON.stringify({ instanceId: id })}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/**
 * Throws a StoreError where a copied database cannot be opened with the root keys that there are. `keysOf` is told whose the copy is.
 */
export async function refuseForeignCopy(copy: Database, keysOf: (instanceId: string) => LoadedRootKeys): Promise<void> {
  const row = await findInstance(copy)
  if (row === undefined) throw new StoreError('There is no Holdfast in this copy.')
  const loaded = keysOf(row.id)
  refuseWrongRootKey(loaded, row.rootKeyId, row.rootKeyCheck)
  // Older copies have no such column.
  await refuseMissingFormerKey(copy, loaded, row.formerRootKeyId ?? null)
  try {
    unwrapKey(loaded.keys.byId, row.wrappedInstanceKey, instanceKeyContext(row.id))
  } catch (error) {
    if (!(error instanceof KeyWrapError)) throw error
    throw new StoreError('The root key does not open what this copy holds: its keys were exchanged.', { cause: error })
  }
}

/**
 * Takes in what the file of keys holds now. What is in memory already stays until the next start: calls that have begun may need it.
 * Keys from settings are what they were at the start.
 */
export function rereadRootKeys(instance: Instance): void {
  if (!isFileSource(instance.rootKeySource)) return
  const { primary, byId } = loadRootKeys(instance.rootKeySource, instance.id).keys
  instance.rootKeys = { primary, byId: new Map([...instance.rootKeys.byId, ...byId]) }
}
