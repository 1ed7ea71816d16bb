import { Kysely } from 'kysely'
import { types, type Pool, type PoolConfig } from 'pg'
import type { Database, Failure, Tx } from './dialect.ts'
import { findObstacle, refuseUnsafeServer } from './postgres-settings.ts'
import { idleCode, isRollback, PostgresDriver, type StatementLimit } from './postgres-driver.ts'
import { type Job, WriteLanes } from './write-lanes.ts'
import { driverCode, StoreError } from './store-error.ts'
import type { Tables } from './schema.ts'

const maxConnections = 16
const connectTimeoutMs = 2_000
const statementTimeoutMs = 10_000
// Any number works if all versions of Holdfast use the same one.
const migrationLock = 8_420_001

/** How many writes of a vault share a transaction, how many vaults write at once, and how many writes may wait for one vault. */
const laneLimits = { together: 16, lanes: 12, waiting: 400 }

/** The server store. Refuses a server whose settings could lose acknowledged writes, and one in a network without TLS. */
export async function openPostgres(url: string): Promise<Database> {
  const limit: StatementLimit = { timeoutMs: statementTimeoutMs }
  const settings: PoolConfig = {
    // What the URL says about TLS takes precedence.
    ...(needsTls(url) && { ssl: true }),
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    types: { getTypeParser: parserOf },
  }
  const { pool, dialect } = new PostgresDriver(settings, limit)
  const read = new Kysely<Tables>({ dialect })
  try {
    await refuseUnsafeServer(read)
  } catch (error) {
    await read.destroy()
    throw error instanceof StoreError
      ? error
      : (explainTls(error) ??
          new StoreError(`PostgreSQL cannot be reached (${driverCode(error)}). Check HOLDFAST_DATABASE_URL.`, {
            cause: error,
            kind: explainFailure(error) === undefined ? 'wrong' : 'away',
          }))
  }
  const lanes = new WriteLanes((jobs) => commitTogether(read, jobs), laneLimits)
  return {
    dialect: 'postgres',
    columns: { bytes: 'bytea', long: 'bigint' },
    read,
    // A write without a lane waits for no other, but still for its turn.
    write: (work, lane) => lanes.run(lane ?? Symbol('its own lane'), work),
    get load() {
      const { totalCount: open, idleCount: idle, waitingCount } = pool
      return { open, idle, max: maxConnections, waiting: waitingCount + lanes.waiting }
    },
    withMigrationLock: (work) => holdAdvisoryLock({ pool, limit }, work),
    findObstacle: () => findObstacle(read),
    explainFailure,
    close: () => read.destroy(),
  }
}

/**
 * Whether connections have to be encrypted, with a certificate that is verified: to a server on another machine, unless the URL says
 * something else (`sslmode`).
 */
export function needsTls(url: string): boolean {
  if (/[?&](sslmode|ssl)=/.test(url)) return false
  // As the driver reads it: without a host it is this machine, and a path is a socket.
  const { hostname = '', searchParams } = URL.parse(url.replace('@/', '@localhost/')) ?? {}
  const host = searchParams?.get('host') ?? decodeURIComponent(hostname)
  return host !== '' && !host.startsWith('/') && !/^(localhost|.*\.localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host)
}

const untrusted = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT_)/

function explainTls(error: unknown): StoreError | undefined {
  const code = driverCode(error)
  if (error instanceof Error && error.message === 'The server does not support SSL connections')
    return new StoreError(
      'PostgreSQL does not accept TLS, so passwords and data could be read on the network. Turn TLS on there (`ssl = on`).\n' +
        'If the connection is protected in another way, add sslmode=disable to HOLDFAST_DATABASE_URL.',
      { cause: error },
    )
  if (untrusted.test(code))
    return new StoreError(
      `The certificate of PostgreSQL is not trusted (${code}). Add sslrootcert=<file> with the certificate of its authority to HOLDFAST_DATABASE_URL.\n` +
        'sslmode=no-verify encrypts the connection without checking who answers.',
      { cause: error },
    )
  return undefined
}

const maxAttempts = 3

/** Retries after a deadlock or serialization failure: everything was rolled back, so the work can run again. */
async function runWithRetries<T>(db: Kysely<Tables>, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!isRollback(error) || attempt === maxAttempts) throw error
    }
  }
}

/**
 * Commits jobs in one transaction. If one fails, all are rolled back, and each gets a transaction of its own. A savepoint for each job would
 * cost two more statements, also if none fails.
 */
async function commitTogether(db: Kysely<Tables>, jobs: readonly Job[]): Promise<void> {
  if (jobs.length > 1) {
    try {
      const values = await runWithRetries(db, async (tx) => {
        const results: unknown[] = []
        for (const { work } of jobs) results.push(await work(tx))
        return results
      })
      for (const [at, { resolve }] of jobs.entries()) resolve(values[at])
      return
    } catch (error) {
      // Without an answer to their commit, they may have been written.
      if (explainFailure(error) !== undefined && !isRollback(error)) {
        for (const { reject } of jobs) reject(error)
        return
      }
    }
  }
  for (const { work, resolve, reject } of jobs) await runWithRetries(db, work).then(resolve, reject)
}

// Sequence numbers and milliseconds stay below 2^53.
const parserOf: typeof types.getTypeParser = (
  oid: Parameters<typeof types.getTypeParser>[0],
  format?: 'text' | 'binary',
) => (oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format))

/**
 * Waiting for the lock and the work under it may take any time. The lock belongs to a transaction: a pooler may give the connection of a
 * session to others, who would then hold the session's lock.
 */
async function holdAdvisoryLock(
  { pool, limit }: { pool: Pool; limit: StatementLimit },
  work: () => Promise<void>,
): Promise<void> {
  limit.timeoutMs = 0
  try {
    const client = await pool.connect()
    try {
      await client.query(
        `begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
         select pg_advisory_xact_lock(${migrationLock})`,
      )
      await work()
    } finally {
      // Ends the transaction, and with it the lock.
      client.release(true)
    }
  } finally {
    limit.timeoutMs = statementTimeoutMs
  }
}

const outages = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'EPIPE',
  'ENOENT',
])

// Driver errors without a code. The last one comes from rolling back after the connection broke.
const codeless =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (was closed|has encountered a connection error)|Postgres connection has been discarded)/

function explainFailure(error: unknown): Failure | undefined {
  const code = driverCode(error)
  if (code === '53100') return { kind: 'unavailable', reason: 'the disk is full' }
  // A primary that became a standby, or that someone protects.
  if (code === '25006') return { kind: 'unavailable', reason: 'the database is read-only' }
  // SQLSTATE classes: 08 connection, 40 an unknown end of a transaction, 53 resources, 57 operator intervention and time-outs, 58 system, XX damage.
  if (code === idleCode) return { kind: 'unavailable', reason: 'the server is too busy to finish the write' }
  if (isRollback(error)) return { kind: 'unavailable', reason: 'others are writing the same records' }
  if (outages.has(code) || /^(08|40|53|57|58|XX)/.test(code))
    return { kind: 'unavailable', reason: 'the database cannot be reached' }
  if (error instanceof Error && codeless.test(error.message))
    return { kind: 'unavailable', reason: 'the database cannot be reached' }
  return undefined
}
