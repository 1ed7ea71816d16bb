import { type Kysely, sql } from 'kysely'
import { StoreError } from './store-error.ts'
import type { Tables } from './schema.ts'

const required = ['fsync', 'full_page_writes', 'synchronous_commit'] as const

interface Settings extends Record<(typeof required)[number], string> {
  /** On a standby, and on a server that someone made read-only. */
  transaction_read_only: string
}

const readSettings = async (db: Kysely<Tables>): Promise<Settings | undefined> => {
  const names = [...required, 'transaction_read_only']
  const values = names.map((name) => sql`current_setting(${sql.lit(name)}) as ${sql.ref(name)}`)
  return (await sql<Settings>`select ${sql.join(values)}`.execute(db)).rows[0]
}

/** Refuses a start on a server that could lose acknowledged writes, or that takes none. */
export async function refuseUnsafeServer(db: Kysely<Tables>): Promise<void> {
  const settings = await readSettings(db)
  const off = required.find((name) => settings?.[name] === 'off')
  if (off !== undefined)
    throw new StoreError(
      `PostgreSQL runs with ${off}=off: a crash could lose acknowledged writes. Turn it on and start again.`,
    )
  if (settings?.transaction_read_only === 'on')
    throw new StoreError(
      'PostgreSQL is read-only. If it is a standby, point HOLDFAST_DATABASE_URL at the primary. ' +
        'If it is the primary, turn default_transaction_read_only off.',
      { kind: 'away' },
    )
}

/**
 * Why the server should get no calls, although it answers: its settings were changed, or it became a standby. Without
 * `synchronous_commit`, which each transaction sets.
 */
export async function findObstacle(db: Kysely<Tables>): Promise<string | undefined> {
  const settings = await readSettings(db)
  const off = required.find((name) => name !== 'synchronous_commit' && settings?.[name] === 'off')
  if (off !== undefined) return `PostgreSQL runs with ${off}=off, so a crash could lose acknowledged writes.`
  return settings?.transaction_read_only === 'on' ? 'PostgreSQL is read-only, so nothing can be written.' : undefined
}
