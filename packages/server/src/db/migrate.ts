import { sql } from 'kysely'
import { sha256 } from '../crypto/hash.ts'
import type { Database } from './dialect.ts'
import { StoreError } from './store-error.ts'
import { initial } from './migrations/0001-initial.ts'
import { memoryVersions } from './migrations/0002-memory-versions.ts'
import { versionWriters } from './migrations/0003-version-writers.ts'
import { messageIntegrations } from './migrations/0004-message-integrations.ts'
import { revisions } from './migrations/0005-revisions.ts'
import { signIn } from './migrations/0006-sign-in.ts'
import { runVersions } from './migrations/0007-run-versions.ts'
import { proposals } from './migrations/0008-proposals.ts'
import { keyRotation } from './migrations/0009-key-rotation.ts'
import { versionProvenance } from './migrations/0010-version-provenance.ts'
import { peoplesMemories } from './migrations/0011-peoples-memories.ts'
import { safeRotation } from './migrations/0012-safe-rotation.ts'
import { instanceKeySeals } from './migrations/0013-instance-key-seals.ts'
import { oauth } from './migrations/0014-oauth.ts'
import { activityFilters } from './migrations/0015-activity-filters.ts'
import { vaultMembers } from './migrations/0017-vault-members.ts'
import { recordEvents } from './migrations/0018-record-events.ts'
import { leanActivity } from './migrations/0019-lean-activity.ts'
import { countedReads } from './migrations/0020-counted-reads.ts'
import { statisticsByType } from './migrations/0021-statistics-by-type.ts'
import { severalServers } from './migrations/0022-several-servers.ts'
import { leanerRows } from './migrations/0023-leaner-rows.ts'
import { readsApart } from './migrations/0024-reads-apart.ts'
import { vaultDigests } from './migrations/0025-vault-digests.ts'

export interface Migration {
  name: string
  /** SQL text for this dialect. A checksum of it is stored with the name when the migration is applied. */
  statements(db: Pick<Database, 'columns' | 'dialect'>): string[]
}

/** In order. Add a new one at the end, and never change a released one (`migrations/frozen.test.ts`). */
export const migrations: readonly Migration[] = [
  initial,
  memoryVersions,
  versionWriters,
  messageIntegrations,
  revisions,
  signIn,
  runVersions,
  proposals,
  keyRotation,
  versionProvenance,
  peoplesMemories,
  safeRotation,
  instanceKeySeals,
  oauth,
  activityFilters,
  vaultMembers,
  recordEvents,
  leanActivity,
  countedReads,
  statisticsByType,
  severalServers,
  leanerRows,
  readsApart,
  vaultDigests,
]

/**
 * Whether a migration only adds, so that servers of the version before go on working with it. It says so in its name, which those servers
 * read in the journal. With any other, all of them have to stop first.
 */
const expands = (name: string): boolean => /^\d{4}-expand-/.test(name)

interface Update {
  /** Runs before the first change to a database that has tables already. If it throws, nothing changes. */
  beforeUpdate?(): Promise<void>
  /** The names of servers that use the database now. */
  listServers?(): Promise<string[]>
}

/**
 * Brings the schema to this version: each migration in its own transaction, in order, under a lock that other processes
 * wait for. Refuses a database of a newer version, unless that only added to it, and one whose applied migrations differ from these.
 */
export async function migrate(
  db: Database,
  known: readonly Migration[] = migrations,
  { beforeUpdate = async () => {}, listServers = async () => [] }: Update = {},
): Promise<void> {
  await db.withMigrationLock(async () => {
    await createJournal(db)
    const applied = await readJournal(db)
    refuseForeignHistory(applied, known, db)
    const pending = known.slice(applied.length)
    if (pending.length > 0 && applied.length > 0) {
      const change = pending.find(({ name }) => !expands(name))
      if (change !== undefined) refuseRunning(change, await listServers())
      await beforeUpdate()
    }
    for (const migration of pending) await apply(db, migration)
  })
}

function refuseRunning({ name }: Migration, servers: readonly string[]): void {
  if (servers.length === 0) return
  throw new StoreError(
    `Migration ${name} changes what servers of earlier versions use, and ${
      servers.length === 1 ? 'one still runs' : `${servers.length} still run`
    } on this database: ${servers.join(', ')}. Stop them first, and then start this one. One that was killed counts for a minute.`,
  )
}

/** The schema is older than this version's. Nothing was changed. */
export class MigrationsDueError extends StoreError {}

/** For callers that must not change anything. The database must hold an instance. */
export async function refuseDueMigrations(db: Database, known: readonly Migration[] = migrations): Promise<void> {
  const applied = await readJournal(db)
  refuseForeignHistory(applied, known, db)
  const due = known.length - applied.length
  if (due > 0) throw new MigrationsDueError(`${due} ${due === 1 ? 'migration is' : 'migrations are'} due.`)
}

/** For a copy of a store, which stays unchanged: an older schema is migrated once the copy is in use. */
export async function refuseForeignSchema(copy: Database, known: readonly Migration[] = migrations): Promise<void> {
  refuseForeignHistory(await readJournal(copy), known, copy)
}

interface Applied {
  name: string
  checksum: string
}

async function createJournal(db: Database): Promise<void> {
  await db.write(async (tx) => {
    await tx.schema
      .createTable('migrations')
      .ifNotExists()
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('checksum', 'text', (column) => column.notNull())
      .addColumn('appliedAt', db.columns.long, (column) => column.notNull())
      .execute()
  })
}

async function readJournal(db: Database): Promise<Applied[]> {
  const { rows } = await sql<Applied>`select "name", "checksum" from "migrations" order by "name"`.execute(db.read)
  return rows
}

function refuseForeignHistory(applied: Applied[], known: readonly Migration[], db: Database): void {
  applied.forEach(({ name, checksum }, at) => {
    const migration = known[at]
    if (migration === undefined && expands(name)) return
    if (migration === undefined)
      throw new StoreError(
        `The database was written by a newer Holdfast (migration ${name}). Start that version, or restore the backup made before it.`,
      )
    if (migration.name === name && checksumOf(migration, db) === checksum) return
    throw new StoreError(at === 0 ? developmentVersion : anotherBuild(name))
  })
}

// The first migration is the same in all releases.
const developmentVersion = [
  'The database was made by a development version of Holdfast, which no release can read. Nothing was changed.',
  'Start that version once more and export your vaults (`holdfast export`). Then start this one with an empty data folder ' +
    '(HOLDFAST_DATA_DIR) or database (HOLDFAST_DATABASE_URL), and import them.',
].join('\n')

const anotherBuild = (name: string) =>
  `Migration ${name} of the database differs from this version's: another build created the database. ` +
  'Nothing was changed. Start the build that last used the database, or restore a backup of this version.'

async function apply(db: Database, migration: Migration): Promise<void> {
  await db.write(async (tx) => {
    for (const statement of migration.statements(db)) await sql.raw(statement).execute(tx)
    await sql`insert into "migrations" values (${migration.name}, ${checksumOf(migration, db)}, ${Date.now()})`.execute(
      tx,
    )
  })
}

const checksumOf = (migration: Migration, db: Database) => sha256(migration.statements(db).join(';\n')).toString('hex')
