import {
  CompiledQuery,
  type DatabaseConnection,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
} from 'kysely'

/** What a statement may take. It changes while migrations run. */
export interface StatementLimit {
  /** 0: any time. */
  timeoutMs: number
}

/**
 * Begins each transaction with the settings that Holdfast relies on, in the same message. So nobody can turn them off while the server is
 * running, and they hold behind a pooler, which gives each transaction another connection.
 */
export class GuardedPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig
  readonly #limit: Readonly<StatementLimit>

  constructor(config: PostgresDialectConfig, limit: Readonly<StatementLimit>) {
    super(config)
    this.#config = config
    this.#limit = limit
  }

  override createDriver(): PostgresDriver {
    return new GuardedDriver(this.#config, this.#limit)
  }
}

class GuardedDriver extends PostgresDriver {
  readonly #limit: Readonly<StatementLimit>

  constructor(config: PostgresDialectConfig, limit: Readonly<StatementLimit>) {
    super(config)
    this.#limit = limit
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const { timeoutMs } = this.#limit
    const statements = [
      'begin',
      // With synchronous standbys, `local` and `remote_write` could lose an acknowledged write in a failover.
      'set local synchronous_commit = on',
      `set local statement_timeout = ${timeoutMs}`,
      // A process that froze in a transaction must not hold a vault's lock against all others.
      `set local idle_in_transaction_session_timeout = ${timeoutMs}`,
    ]
    await connection.executeQuery(CompiledQuery.raw(statements.join('; ')))
  }
}
