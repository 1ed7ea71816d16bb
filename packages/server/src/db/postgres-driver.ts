import {
  AbortedTransactionError,
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type RootOperationNode,
  ValuesNode,
} from 'kysely'
import { Socket } from 'node:net'
import { Client, type ClientBase, DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg'
import { preparedName } from './prepared.ts'
import { driverCode } from './store-error.ts'

/** What a statement may take. It changes while migrations run. */
export interface StatementLimit {
  /** 0: any time. */
  timeoutMs: number
}

/**
 * How long a transaction may wait for its process. One that froze in a transaction must not hold a vault's lock against all others, and one
 * that was only slow runs its work again.
 */
const idleInTransactionMs = 1_000

/** Inserts whose answers a transaction may wait for at its next statement. With more, it would look idle to the server while it seals them. */
const maxUnanswered = 16

/** A peer that is silent for so much longer than a statement may take is frozen or gone. */
const silenceMs = 2_000

/**
 * Connections to PostgreSQL, with what Kysely's own driver doesn't do:
 *
 * - A statement of `prepared` is parsed and planned once per connection. That halves PostgreSQL's processor time for a write: 3.7 → 2.0 ms
 *   on a busy machine with two cores.
 * - An insert in a transaction is sent together with the transaction's next statement, because its result is known: only its failure
 *   matters, and the next statement or the commit throws that. So the three inserts of a new memory and its commit take one round trip.
 * - Each transaction begins with the settings that Holdfast relies on, in the same message. So they can't be turned off while the server is
 *   running, and they hold behind a pooler, which gives each transaction another connection.
 */
export class PostgresDriver implements Driver {
  readonly pool: Pool
  readonly #limit: Readonly<StatementLimit>
  /** For statements outside of transactions, also on connections that are made while migrations run. */
  readonly #usualMs: number
  readonly #connections = new WeakMap<ClientBase, Connection>()

  constructor(config: PoolConfig, limit: Readonly<StatementLimit>) {
    this.#limit = limit
    this.#usualMs = limit.timeoutMs
    this.pool = new Pool({ ...config, pipeline: true, onConnect: (client) => this.#prepare(client) })
    // A broken connection fails its query and is replaced. It also emits an error on the pool, or on itself while in use; without
    // listeners, that would end the process.
    this.pool.on('error', () => {})
  }

  get dialect(): Dialect {
    return {
      createDriver: () => this,
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    }
  }

  /** Settings aren't in the start-up message: PgBouncer refuses connections that set something there. */
  async #prepare(client: ClientBase): Promise<void> {
    const connection = new Connection(client as PoolClient)
    this.#connections.set(client, connection)
    limitSilence(client, this.#limit, this.#usualMs + silenceMs)
    await connection.prepare(this.#usualMs)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    const client = await this.pool.connect()
    const connection = this.#connections.get(client)
    if (connection === undefined) throw new Error('a connection that was not prepared')
    return connection
  }

  async beginTransaction(connection: Connection): Promise<void> {
    await connection.begin(this.#limit)
  }

  async commitTransaction(connection: Connection): Promise<void> {
    await connection.commit()
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    await connection.rollback()
  }

  async releaseConnection(connection: Connection): Promise<void> {
    connection.release()
  }

  async destroy(): Promise<void> {
    await this.pool.end()
  }
}

class Connection implements DatabaseConnection {
  readonly #client: PoolClient
  #hasStatements = false
  // Counts how often the server forgot the prepared statements, or may not use them any more.
  #generation = 0
  #isInTransaction = false
  /** Since when the server has waited for the next statement of the transaction, or a moment later. */
  #idleSince = 0
  /** Why an insert failed that was sent without waiting for it. */
  #failure: Error | undefined
  /** Why the server ended the connection while nothing was asked. */
  #end: Error | undefined
  /** How many inserts were sent without waiting for them since the last statement that was waited for. */
  #unanswered = 0
  #isBroken = false

  constructor(client: PoolClient) {
    this.#client = client
    client.on('error', (error) => (this.#end ??= error))
  }

  async prepare(timeoutMs: number): Promise<void> {
    const { rows } = await this.#client.query<{ pid: number }>(
      `select pg_backend_pid() as pid, set_config('statement_timeout', '${timeoutMs}', false)`,
    )
    // Behind a pooler, the process that answers isn't the one that was connected to, and the next one knows no statements of this one.
    const { processID } = this.#client as { processID?: number }
    this.#hasStatements = rows[0]?.pid === processID
  }

  async begin({ timeoutMs }: Readonly<StatementLimit>): Promise<void> {
    await this.#send(
      [
        'begin',
        // With synchronous standbys, `local` and `remote_write` could lose an acknowledged write in a failover.
        'set local synchronous_commit = on',
        `set local statement_timeout = ${timeoutMs}`,
        `set local idle_in_transaction_session_timeout = ${timeoutMs === 0 ? 0 : idleInTransactionMs}`,
      ].join('; '),
    )
    this.#isInTransaction = true
    this.#idleSince = performance.now()
  }

  async commit(): Promise<void> {
    this.#isInTransaction = false
    const { command } = await this.#send('commit')
    const failure = this.#failure
    this.#failure = undefined
    if (failure !== undefined) throw failure
    // So ends the commit of a transaction in which a statement failed.
    if (command === 'ROLLBACK') throw new AbortedTransactionError()
  }

  async rollback(): Promise<void> {
    this.#isInTransaction = false
    // If it fails, the connection is closed, and the server rolls back.
    await this.#send('rollback').catch(() => (this.#isBroken = true))
    this.#failure = undefined
  }

  release(): void {
    this.#client.release(this.#isBroken)
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const mayWait = this.#isInTransaction && this.#unanswered < maxUnanswered
    const inserted = mayWait ? rowsOfPlainInsert(query.query) : undefined
    if (inserted !== undefined) {
      this.#sendLater(query)
      return { rows: [], numAffectedRows: BigInt(inserted) }
    }
    const { command, rowCount, rows } = await this.#execute(query)
    const changes = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE'
    return { rows: rows as R[], ...(changes && { numAffectedRows: BigInt(rowCount ?? 0) }) }
  }

  // eslint-disable-next-line require-yield -- Kysely asks for a generator.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('no query is streamed')
  }

  #sendLater(query: CompiledQuery): void {
    // Goes out together with the next statement: each system call costs more than the insert.
    if (this.#unanswered++ === 0) streamOf(this.#client)?.cork()
    this.#query(query).catch((error: unknown) => {
      if (isOutdatedStatement(error)) this.#generation++
      this.#failure ??= error instanceof Error ? error : new Error('an insert failed', { cause: error })
    })
  }

  async #execute(query: CompiledQuery) {
    const idleMs = performance.now() - this.#idleSince
    try {
      const answer = await this.#flushAfter(() => this.#query(query))
      this.#idleSince = performance.now()
      return answer
    } catch (error) {
      // A process that was busy all the time writes to the closed connection before it reads why it was closed.
      if (this.#isInTransaction && idleMs >= idleInTransactionMs && !(error instanceof DatabaseError))
        throw Object.assign(new Error('the transaction was idle for too long', { cause: error }), { code: idleCode })
      if (!isOutdatedStatement(error)) throw this.#explain(error)
      // A column was added, or the session was reset.
      this.#generation++
      if (this.#isInTransaction) throw this.#explain(error)
      return this.#query(query)
    }
  }

  #query({ sql, parameters, query }: CompiledQuery) {
    const name = this.#hasStatements ? preparedName(query) : undefined
    return this.#client.query({
      text: sql,
      values: [...parameters],
      ...(name !== undefined && { name: `${name}_${this.#generation}` }),
    })
  }

  async #send(statements: string) {
    try {
      const result: { command: string } = await this.#flushAfter(() => this.#client.query(statements))
      return result
    } catch (error) {
      throw this.#explain(error)
    }
  }

  /** What follows an error says only that there was one. */
  #explain(error: unknown): unknown {
    return this.#end ?? this.#failure ?? error
  }

  #flushAfter<T>(send: () => T): T {
    try {
      return send()
    } finally {
      if (this.#unanswered > 0) streamOf(this.#client)?.uncork()
      this.#unanswered = 0
    }
  }
}

/** How many rows an insert adds, if it returns nothing, and adds all of its rows or fails. */
function rowsOfPlainInsert(query: RootOperationNode): number | undefined {
  if (query.kind !== 'InsertQueryNode' || query.returning !== undefined || query.onConflict !== undefined)
    return undefined
  return query.values !== undefined && ValuesNode.is(query.values) ? query.values.values.length : undefined
}

/** Whether the server forgot a prepared statement, or doesn't run it because its table has changed. */
const isOutdatedStatement = (error: unknown): boolean => {
  const code = driverCode(error)
  return code === '26000' || (code === '0A000' && error instanceof Error && error.message.includes('cached plan'))
}

/** The SQLSTATE of a transaction whose process was idle for too long. */
export const idleCode = '25P03'

/** Whether an error says that the transaction was rolled back, so that its work can run again. */
export const isRollback = (error: unknown): boolean => {
  const code = driverCode(error)
  // SQLSTATE class 40: transaction rollback, except 40003: whether it was committed is unknown.
  return (code.startsWith('40') && code !== '40003') || code === idleCode || isOutdatedStatement(error)
}

const streamOf = (client: ClientBase): Socket | undefined => {
  const stream = client instanceof Client ? client.connection.stream : undefined
  return stream instanceof Socket ? stream : undefined
}

// The driver waits forever for a server that doesn't answer. Closing the connection fails the waiting query.
function limitSilence(client: ClientBase, limit: Readonly<StatementLimit>, longestMs: number): void {
  const stream = streamOf(client)
  stream?.setTimeout(longestMs, () => {
    if (limit.timeoutMs > 0) stream.destroy()
  })
}
