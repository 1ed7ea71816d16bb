// The network between servers and PostgreSQL. What a server sends at once waits for the scheduler before it arrives, and if others move
// meanwhile, its answers wait again. In between, the seed's faults happen. Replaces functions of the driver, `pg`; the rest of a server is
// unchanged.

import { Client, Pool, type QueryConfig, type QueryResult } from 'pg'
import { labelOf, type Fault, type Faults } from './faults.ts'
import type { Blocked, Query, Scheduler } from './scheduler.ts'

/** Where the statements of a server come from. */
export interface Endpoint {
  /** In its URL as the name of the application. */
  readonly id: string
  /** As the trace names it. */
  readonly name: string
  /** Its statements wait for steps; otherwise they pass at once. */
  isScheduled: boolean
  /** It crashed: nothing that it does has an effect, or gets an answer. */
  isGone: boolean
  crash(): void
  /** Never returns before the history is over. Then it throws, so that what waits for it ends. */
  freeze(): Promise<never>
}

/** A connection as planted bugs see it. */
export interface Session {
  client: Client
  endpoint: Endpoint
  isInTransaction: boolean
  send(sql: string, values: readonly unknown[]): Promise<QueryResult>
  /** Does something when the seed has chosen it several times, unless the server crashes before. */
  later(work: () => Promise<void>): Promise<void>
}

/** Does something else than to send the statement, as a bug would. Undefined: sends it. */
export type Plant = (session: Session, sql: string, values: readonly unknown[]) => Promise<QueryResult> | undefined

export interface PostgresNetwork {
  add(endpoint: Endpoint): void
  /** Once nothing of the server is left. */
  remove(endpoint: Endpoint): void
  /** Cuts all connections of the server, and waits until the database has noticed. */
  cutOff(endpoint: Endpoint): Promise<void>
  begin(history: History): void
  findBlocked(backends: readonly number[]): Promise<Blocked[]>
  /** Connections without a simulated network. */
  readonly direct: Pool
  close(): Promise<void>
}

interface History {
  scheduler: Scheduler
  faults: Faults
  plant?: Plant | undefined
}

type Connected = (error?: Error) => void

type Outcome = { value: QueryResult } | { error: unknown }

interface Statement {
  config: string | QueryConfig
  sql: string
  values: readonly unknown[]
  label: string
  settle(outcome: Outcome | undefined): void
}

/** What `pg` has and its types lack. */
interface Inside {
  connectionParameters: { application_name?: string }
  connection: { stream: { destroy(): void; setTimeout(ms: number): void; writableCorked: number } }
  processID: number
}

const inside = (client: Client): Inside => client as unknown as Inside

type Ask = (config: string | QueryConfig, values?: readonly unknown[]) => Promise<QueryResult>

/** Long enough that others can look meanwhile. */
const laterSteps = 8

/** What the driver says if a connection breaks. */
const terminated = () => new Error('Connection terminated unexpectedly')

/** Replaces `query` and `connect` of all clients until `close`. */
export const openPostgresNetwork = (connectionString: string): PostgresNetwork =>
  new Network(new Pool({ connectionString, max: 4 }))

class Network implements PostgresNetwork {
  readonly direct: Pool
  readonly #query = Client.prototype.query as unknown as Ask
  readonly #connect = Client.prototype.connect as (callback?: Connected) => Promise<void> | undefined
  readonly #endpoints = new Map<string, Endpoint>()
  readonly #clients = new Map<Endpoint, Set<Client>>()
  readonly #inTransaction = new WeakSet<Client>()
  /** What a server has asked for and not sent yet. */
  readonly #held = new WeakMap<Client, Statement[]>()
  #history: History | undefined

  constructor(direct: Pool) {
    this.direct = direct
    // The test ends its database before it ends.
    direct.on('error', () => {})
    const asked = this.#ask.bind(this)
    const connected = this.#open.bind(this)
    Object.assign(Client.prototype, {
      query(this: Client, config: string | QueryConfig, ...rest: unknown[]) {
        return asked(this, config, rest)
      },
      connect(this: Client, callback?: Connected) {
        return connected(this, callback)
      },
    })
  }

  close(): Promise<void> {
    Object.assign(Client.prototype, { query: this.#query, connect: this.#connect })
    return this.direct.end()
  }

  add(endpoint: Endpoint): void {
    this.#endpoints.set(endpoint.id, endpoint)
  }

  remove(endpoint: Endpoint): void {
    this.#endpoints.delete(endpoint.id)
  }

  begin(history: History): void {
    this.#history = history
  }

  /** Locks of rows. Others last only for moments, and whether someone looks in such a moment must not decide anything. */
  async findBlocked(backends: readonly number[]): Promise<Blocked[]> {
    const { rows } = await this.direct.query<Blocked>({
      name: 'find_blocked',
      // An activity is cheaper to find than a lock, but says for some time that a process waits which already got its lock.
      text: `select pid as backend, by from unnest($1::int[]) as asked (backend), pg_stat_get_activity(backend), pg_blocking_pids(pid) as by
             where wait_event_type = 'Lock' and wait_event in ('transactionid', 'tuple') and by <> '{}'`,
      values: [backends],
    })
    return rows
  }

  async cutOff(endpoint: Endpoint): Promise<void> {
    await Promise.all(Array.from(this.#clients.get(endpoint) ?? [], (client) => this.#cut(client)))
    this.#clients.delete(endpoint)
  }

  async #cut(client: Client): Promise<void> {
    const { processID, connection } = inside(client)
    connection.stream.destroy()
    // Otherwise it would notice when it next reads or writes, at a time of its own.
    for (let isThere = true; isThere;) {
      const { rows } = await this.direct.query<{ count: number }>(
        'select count(pg_terminate_backend(pid))::int as count from pg_stat_activity where pid = $1',
        [processID],
      )
      isThere = rows[0]?.count !== 0
    }
    this.#history?.scheduler.unlock()
  }

  #endpointOf(client: Client): Endpoint | undefined {
    return this.#endpoints.get(inside(client).connectionParameters.application_name ?? '')
  }

  #open(client: Client, callback?: Connected): Promise<void> | undefined {
    const endpoint = this.#endpointOf(client)
    if (endpoint === undefined || callback === undefined) return this.#connect.call(client, callback)
    if (endpoint.isGone) {
      callback(terminated())
      return undefined
    }
    this.#clients.set(endpoint, (this.#clients.get(endpoint) ?? new Set()).add(client))
    client.once('end', () => this.#clients.get(endpoint)?.delete(client))
    void this.#connectInTurn(client, endpoint).then(() => callback(), callback)
    return undefined
  }

  /** Several that open at the same time must not be ready in any order. */
  async #connectInTurn(client: Client, endpoint: Endpoint): Promise<void> {
    const opened = new Promise<void>((resolve, reject) => {
      void this.#connect.call(client, (error) => (error ? reject(error) : resolve()))
    })
    const { scheduler } = this.#history ?? {}
    if (scheduler === undefined || !endpoint.isScheduled) return opened
    const place = scheduler.nextPlace()
    await scheduler.during(opened)
    await scheduler.step(`${endpoint.name}: connected`, endpoint, { place })
  }

  #ask(client: Client, config: string | QueryConfig, rest: unknown[]): unknown {
    const endpoint = this.#endpointOf(client)
    const query = () => this.#query.apply(client, [config, ...(rest as [])])
    if (endpoint === undefined) return query()
    if (endpoint.isGone) return endpoint.freeze()
    // The driver gives up on a connection that was silent for some seconds.
    inside(client).connection.stream.setTimeout(0)
    const sql = typeof config === 'string' ? config : config.text
    const history = this.#history
    if (!endpoint.isScheduled || history === undefined || isPreparation(sql)) {
      const work = query()
      void this.#counted(client, settled(work))
      return work
    }
    const values = (typeof config === 'string' ? (rest[0] as unknown[] | undefined) : config.values) ?? []
    return new Promise<QueryResult>((resolve, reject) => {
      const settle = (outcome: Outcome | undefined) =>
        outcome !== undefined && 'value' in outcome ? resolve(outcome.value) : reject(outcome?.error ?? terminated())
      const held = this.#held.get(client) ?? []
      this.#held.set(client, [...held, { config, sql, values, label: labelOf(sql), settle }])
      queueMicrotask(() => void this.#flush(history, { client, endpoint }))
    })
  }

  /** Sends what is held, unless the driver collects more for the same message. */
  async #flush(history: History, { client, endpoint }: { client: Client; endpoint: Endpoint }): Promise<void> {
    const statements = this.#held.get(client) ?? []
    if (statements.length === 0 || inside(client).connection.stream.writableCorked > 0) return
    this.#held.delete(client)
    const outcomes = await this.#goThrough(history, { client, endpoint }, statements).catch((error: unknown) =>
      statements.map(() => ({ error })),
    )
    for (const [at, { settle }] of statements.entries()) settle(outcomes[at])
  }

  async #counted<T>(client: Client, work: Promise<T>, query?: Query): Promise<{ outcome: T; hasWaited: boolean }> {
    const { scheduler } = this.#history ?? {}
    if (scheduler === undefined) return { outcome: await work, hasWaited: false }
    return scheduler.during(work, query ?? { place: 0, backend: inside(client).processID, tables: [] })
  }

  /** Takes the statements of one message to the database, and their answers back. */
  async #goThrough(
    { scheduler, faults, plant }: History,
    { client, endpoint }: { client: Client; endpoint: Endpoint },
    statements: readonly Statement[],
  ): Promise<Outcome[]> {
    const labels = statements.map(({ label }) => label).join(' + ')
    const query = this.#describe(client, statements, scheduler.nextPlace())
    await scheduler.step(`${endpoint.name}: ${labels}`, endpoint, query)
    if (endpoint.isGone) return endpoint.freeze()
    const found = statements.map(({ label }) => faults.at(label))
    const fault = found.find((one) => one !== undefined)
    const crash = () => {
      endpoint.crash()
      return endpoint.freeze()
    }
    if (fault?.kind === 'crash before') return crash()
    if (fault?.kind === 'request lost') return this.#lose(client)
    if (fault?.kind === 'idle for too long' && this.#inTransaction.has(client)) await this.#expire(client)
    const sent = this.#send({ scheduler, plant, client, endpoint, refused: found.indexOf(fault), fault }, statements)
    // Before the scheduler looks: who waited for its locks moves again.
    const followed = Promise.all(sent).then((outcomes) => this.#follow(client, statements, outcomes))
    const { outcome: outcomes, hasWaited } = await this.#counted(client, followed, query)
    const isFailed = outcomes.some((outcome) => 'error' in outcome)
    // Others have gone on meanwhile, and their answers arrive at the same time. An answer that comes at once needs no step of its own.
    if (hasWaited || isFailed || statements.some(({ label }) => label === 'commit'))
      await scheduler.step(`${endpoint.name}: ${labels} ${isFailed ? 'failed' : 'answered'}`, endpoint, {
        place: query.place,
      })
    if (endpoint.isGone) return endpoint.freeze()
    if (fault?.kind === 'crash after') return crash()
    if (fault?.kind === 'answer lost') return this.#lose(client)
    return outcomes
  }

  #describe(client: Client, statements: readonly Statement[], place: number): Query {
    // Outside of a transaction, nothing is locked for longer than its statement.
    const tables = this.#inTransaction.has(client) ? statements.map(({ label }) => label.split(' ')[1] ?? '') : []
    return { place, backend: inside(client).processID, tables: tables.filter((table) => table !== '') }
  }

  #send(
    { scheduler, plant, client, endpoint, refused, fault }: Sending,
    statements: readonly Statement[],
  ): Promise<Outcome>[] {
    const send = (text: string, given: readonly unknown[]) => this.#query.call(client, text, given)
    const later = async (work: () => Promise<void>) => {
      for (let count = 0; count < laterSteps && !endpoint.isGone; count++)
        await scheduler.step(`${endpoint.name}: later`, endpoint)
      if (endpoint.isGone) return
      await this.#counted(client, settled(work()))
      scheduler.unlock()
    }
    return statements.map(({ config, sql, values, label }, at) => {
      // A broken connection refuses its rollback by itself.
      if (fault?.kind === 'error' && at === refused && label !== 'rollback')
        return settled(send(refusal(fault.code), []))
      const session = { client, endpoint, isInTransaction: this.#inTransaction.has(client), send, later }
      const planted = plant?.(session, sql, values)
      return settled(planted ?? this.#query.call(client, typeof config === 'string' ? withoutLimits(config) : config))
    })
  }

  #follow(client: Client, statements: readonly Statement[], outcomes: Outcome[]): Outcome[] {
    for (const { label } of statements) {
      if (label === 'begin') this.#inTransaction.add(client)
      if (label === 'commit' || label === 'rollback') this.#inTransaction.delete(client)
    }
    // A failure also ends what the transaction has locked.
    const isOver = !this.#inTransaction.has(client) || outcomes.some((outcome) => 'error' in outcome)
    if (isOver) this.#history?.scheduler.unlock()
    return outcomes
  }

  /** PostgreSQL ends a transaction whose server does nothing for too long. */
  async #expire(client: Client): Promise<void> {
    const ended = new Promise<void>((resolve) => client.once('end', resolve))
    const expired = async () => {
      await settled(this.#query.call(client, 'set local idle_in_transaction_session_timeout = 1'))
      await ended
      await this.#cut(client)
    }
    await this.#history?.scheduler.during(expired())
  }

  async #lose(client: Client): Promise<never> {
    await this.#history?.scheduler.during(this.#cut(client))
    throw terminated()
  }
}

interface Sending {
  scheduler: Scheduler
  plant: Plant | undefined
  client: Client
  endpoint: Endpoint
  fault: Fault | undefined
  /** Which statement the fault is about. */
  refused: number
}

/** What a new connection asks before it is used. */
const isPreparation = (sql: string): boolean => sql.startsWith('select pg_backend_pid()')

/** Steps take as long as they take: PostgreSQL ends what takes too long only where the seed says so. */
const withoutLimits = (sql: string): string =>
  sql.replaceAll(/(statement_timeout|idle_in_transaction_session_timeout) = \d+/g, '$1 = 0')

/** The database itself fails, so it also ends the transaction. */
const refusal = (code: string) => `do $$ begin raise exception 'injected' using errcode = '${code}'; end $$`

const settled = <T>(work: Promise<T>): Promise<{ value: T } | { error: unknown }> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
