import { sql, type Compilable } from 'kysely'
import { sha256 } from '../crypto/hash.ts'
import { StoreError, type Database } from './dialect.ts'
import { initial } from './migrations/0001-initial.ts'
import { links } from './migrations/0002-links.ts'
import { tasks } from './migrations/0003-tasks.ts'
import { notes } from './migrations/0004-notes.ts'
import { messages } from './migrations/0005-messages.ts'
import { webhooks } from './migrations/0006-webhooks.ts'
import { sessions } from './migrations/0007-sessions.ts'
import { jobs } from './migrations/0009-jobs.ts'
import { limits } from './migrations/0010-limits.ts'
import { lists } from './migrations/0011-lists.ts'
import { vectorModel } from './migrations/0012-vector-model.ts'
import { transfer } from './migrations/0013-transfer.ts'
import { sessionRuns } from './migrations/0014-session-runs.ts'
import { reverted } from './migrations/0015-reverted.ts'
import { browse } from './migrations/0016-browse.ts'
import { runCalls } from './migrations/0017-run-calls.ts'
import { activity } from './migrations/0018-activity.ts'
import { signIn } from './migrations/0019-sign-in.ts'
import { notesUpdated } from './migrations/0020-notes-updated.ts'
import { review } from './migrations/0021-review.ts'
import { activityClass } from './migrations/0022-activity-class.ts'
import { passkeys } from './migrations/0023-passkeys.ts'
import { rootKey } from './migrations/0025-root-key.ts'
import { callCounts } from './migrations/0026-call-counts.ts'
import { turnRuns } from './migrations/0027-turn-runs.ts'
import { activityLook } from './migrations/0028-activity-look.ts'

/** Statements, not actions: they can be summed up before they run. Written once, for both dialects. */
export interface Migration {
  name: string
  statements(db: Database): Compilable[]
}

/** In the order of their numbers, which only grow: a new one goes to the end (`migrations/frozen.test.ts`). */
const migrations: Migration[] = [
  initial,
  links,
  tasks,
  notes,
  messages,
  webhooks,
  sessions,
  jobs,
  limits,
  lists,
  vectorModel,
  transfer,
  sessionRuns,
  reverted,
  browse,
  runCalls,
  activity,
  signIn,
  notesUpdated,
  review,
  activityClass,
  passkeys,
  rootKey,
  callCounts,
  turnRuns,
  activityLook,
]

/**
 * Brings the schema to this version: in order, each in a transaction of its own, under a lock that other processes wait
 * for. Refuses a database that a newer version has written, or whose applied migrations differ from those known here.
 */
export async function migrate(db: Database, known: Migration[] = migrations): Promise<void> {
  await db.withMigrationLock(async () => {
    await createJournal(db)
    const applied = await readJournal(db)
    refuseForeignHistory(applied, known, db)
    const pending = known.slice(applied.length)
    if (pending.length > 0 && applied.length > 0) db.backUp?.(`before-${pending[0]?.name}-${Date.now()}.db`)
    for (const migration of pending) await apply(db, migration)
  })
}

/** The schema is older than this version's; nothing was changed. */
export class MigrationsDueError extends StoreError {}

/** For who must not change anything. The database must hold an instance. */
export async function refuseDueMigrations(db: Database, known: Migration[] = migrations): Promise<void> {
  const applied = await readJournal(db)
  refuseForeignHistory(applied, known, db)
  const due = known.length - applied.length
  if (due > 0) throw new MigrationsDueError(`${due} ${due === 1 ? 'migration is' : 'migrations are'} due.`)
}

/** For a copy of a store, which is left as it is: an older schema is migrated once the copy is in use. */
export async function refuseForeignSchema(copy: Database, known: Migration[] = migrations): Promise<void> {
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
      .addColumn('appliedAt', db.columns.long === 'bigint' ? 'bigint' : 'integer', (column) => column.notNull())
      .execute()
  })
}

async function readJournal(db: Database): Promise<Applied[]> {
  const { rows } = await sql<Applied>`select "name", "checksum" from "migrations" order by "name"`.execute(db.read)
  return rows
}

function refuseForeignHistory(applied: Applied[], known: Migration[], db: Database): void {
  applied.forEach(({ name, checksum }, at) => {
    const migration = known[at]
    if (migration === undefined)
      throw new StoreError(
        `The database was written by a newer Holdfast (migration ${name}). Start that version, or restore the backup made before it.`,
      )
    if (migration.name !== name || checksumOf(migration, db) !== checksum)
      throw new StoreError(
        `The database's migration ${name} is not the one that this version knows: it was made by another build. Nothing was changed. Start the build that the database was last used with, or restore a backup of this version's.`,
      )
  })
}

async function apply(db: Database, migration: Migration): Promise<void> {
  await db.write(async (tx) => {
    for (const statement of migration.statements(db)) await tx.executeQuery(statement.compile())
    await sql`insert into "migrations" values (${migration.name}, ${checksumOf(migration, db)}, ${Date.now()})`.execute(
      tx,
    )
  })
}

const checksumOf = (migration: Migration, db: Database) =>
  sha256(
    migration
      .statements(db)
      .map((statement) => statement.compile().sql)
      .join(';\n'),
  ).toString('hex')
