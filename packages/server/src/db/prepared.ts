import { sql, SqliteAdapter, type Compilable, type CompiledQuery, type QueryExecutor } from 'kysely'
import type { Reader } from './dialect.ts'

/**
 * A query of the hot path, built and compiled once and then run with other parameters: building it anew took longer
 * than running it (authentication: 100 µs, of which the database needed 10).
 *
 * `build` puts `param('name')` where a value belongs. Its shape must not depend on values.
 */
export interface Prepared<P, R> {
  execute(db: Reader, params: P): Promise<R[]>
}

export type Param<P> = <K extends keyof P>(name: K) => P[K]

export function prepared<P extends object, R>(build: (db: Reader, param: Param<P>) => Compilable<R>): Prepared<P, R> {
  // Text differs by dialect, of which a process has one; tests have both.
  const compiled = new WeakMap<QueryExecutor['adapter'], CompiledQuery<R>>()
  return {
    async execute(db, params) {
      const { adapter } = db.getExecutor()
      let query = compiled.get(adapter)
      if (query === undefined) {
        const place = adapter instanceof SqliteAdapter ? unseen : plain
        query = build(db, (name) => place(name) as never).compile()
        compiled.set(adapter, query)
      }
      const parameters = query.parameters.map((value) =>
        value instanceof Placeholder ? params[value.name as keyof P] : value,
      )
      const filled: CompiledQuery<R> = { ...query, parameters }
      return (await db.executeQuery(filled)).rows
    },
  }
}

const plain = (name: PropertyKey) => new Placeholder(name)

// SQLite looks at the values of a join's parameters while it plans, and so plans anew at each run (33 µs in place of 6 for
// authentication). Behind a unary plus, which changes no value, it sees none.
const unseen = (name: PropertyKey) => sql`+${plain(name)}`

// Stands in a compiled query's parameters where a value will be.
class Placeholder {
  readonly name: PropertyKey

  constructor(name: PropertyKey) {
    this.name = name
  }
}
