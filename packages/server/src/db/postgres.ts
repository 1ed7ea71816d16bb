import { Kysely } from 'kysely'
import { Socket } from 'node:net'
import { Client, Pool, types, type ClientBase } from 'pg'
import type { Database, Failure, Tx } from './dialect.ts'
import { findObstacle, refuseUnsafeServer } from './postgres-settings.ts'
import { GuardedPostgresDialect, type StatementLimit } from './postgres-transactions.ts'
import { WriteLanes } from './write-lanes.ts'
import { driverCode, StoreError } from './store-error.ts'
import type { Tables } from './schema.ts'

const maxConnections = 16
const connectTimeoutMs = 2_000
const statementTimeoutMs = 10_000
/** Longer than the server lets a statement run: a peer that is silent this long is frozen or gone. */
const silenceLimitMs = 12_000
// Any number works if all versions of Holdfast use the same one.
const migrationLock = 8_420_001

/**
 * How many writes have a connection at once: to one vault, and in all; and how many more may wait for one vault. With 150 writers in one
 * vault, a search in another takes 8 ms (p50, alone 6) instead of 920, and with 48 writers 8 instead of 210. Between one and eight per vault,
 * writes a second differed by less than the noise of a shared machine.
 */
const laneLimits = { inLane: 4, inAll: 12, waiting: 400 }

/** The server store. Refuses a server whose settings could lose acknowledged writes, and one in a network without TLS. */
export async function openPostgres(url: string): Promise<Database> {
  const limit: StatementLimit = { timeoutMs: statementTimeoutMs }
  const pool = new Pool({
    // What the URL says about TLS takes precedence.
    ...(needsTls(url) && { ssl: true }),
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    types: { getTypeParser: parserOf },
    onConnect: (client) => prepareConnection(client, limit),
  })
  // A broken connection fails its query and is replaced. It also emits an error on the pool, or on itself while in use; without
  // listeners, that would end the process.
  pool.on('error', () => {})
  const read = new Kysely<Tables>({ dialect: new GuardedPostgresDialect({ pool }, limit) })
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
  const lanes = new WriteLanes(laneLimits)
  return {
    dialect: 'postgres',
    columns: { bytes: 'bytea', long: 'bigint' },
    read,
    write: (work, lane = '') => lanes.run(lane, () => runWithRetries(read, work)),
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

// SQLSTATE class 40: transaction rollback.
const isRollback = (error: unknown) => driverCode(error).startsWith('40')

// Sequence numbers and milliseconds stay below 2^53.
const parserOf: typeof types.getTypeParser = (
  oid: Parameters<typeof types.getTypeParser>[0],
  format?: 'text' | 'binary',
) => (oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format))

/** Not in the start-up message: PgBouncer refuses connections that set something there. Transactions have settings of their own. */
async function prepareConnection(client: ClientBase, limit: Readonly<StatementLimit>): Promise<void> {
  client.on('error', () => {})
  limitSilence(client, limit)
  await client.query(`set statement_timeout = ${statementTimeoutMs}`)
}

// The driver waits forever for a server that doesn't answer. Closing the connection fails the waiting query.
function limitSilence(client: ClientBase, limit: Readonly<StatementLimit>): void {
  const stream = client instanceof Client ? client.connection.stream : undefined
  if (!(stream instanceof Socket)) return
  stream.setTimeout(silenceLimitMs, () => {
    if (limit.timeoutMs > 0) stream.destroy()
  })
}

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
  // SQLSTATE classes: 08 connection, 53 resources, 57 operator intervention and time-outs, 58 system, XX damage.
  if (isRollback(error)) return { kind: 'unavailable', reason: 'others are writing the same records' }
  if (outages.has(code) || /^(08|53|57|58|XX)/.test(code))
    return { kind: 'unavailable', reason: 'the database cannot be reached' }
  if (error instanceof Error && codeless.test(error.message))
    return { kind: 'unavailable', reason: 'the database cannot be reached' }
  return undefined
}
