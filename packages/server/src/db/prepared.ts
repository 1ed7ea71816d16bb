import { sql, type Compilable, type CompiledQuery, type QueryExecutor, type RootOperationNode } from 'kysely'
import type { Reader } from './dialect.ts'

/**
 * A query for hot paths, compiled once and run with different parameters: building it each time took longer than running it
 * (authentication: 100 µs, of which the database needed 10 µs).
 *
 * `build` uses `param('name')` in place of a value. Its shape must not depend on values.
 */
export interface Prepared<P, R> {
  execute(db: Reader, params: P): Promise<R[]>
}

const names = new WeakMap<RootOperationNode, string>()
let namesGiven = 0

/** A name for the statement of such a query, for a database that keeps it prepared. */
export const preparedName = (query: RootOperationNode): string | undefined => names.get(query)

export type Param<P> = <K extends keyof P>(name: K) => P[K]

export function prepared<P extends object, R>(build: (db: Reader, param: Param<P>) => Compilable<R>): Prepared<P, R> {
  const compiled = new CompiledQueries<R>((db) => build(db, (name) => mark(new Placeholder(name))))
  return {
    execute: (db, params) => compiled.run(db, 0, ({ name }) => params[name as keyof P]),
  }
}

interface PreparedForIds<P, R> {
  /** Finds nothing if there are no ids. */
  execute(db: Reader, params: P, ids: readonly string[]): Promise<R[]>
}

/**
 * The same with a list of ids, as in `where('id', 'in', ids)`. It is compiled for lists of 1, 2, 4, 8, … ids; shorter ones repeat their
 * last id, which doesn't change what they contain.
 */
export function preparedForIds<P extends object, R>(
  build: (db: Reader, param: Param<P>, ids: readonly string[]) => Compilable<R>,
): PreparedForIds<P, R> {
  const compiled = new CompiledQueries<R>((db, length) => {
    const ids = Array.from({ length }, (_, at) => mark(new Placeholder('ids', at)))
    return build(db, (name) => mark(new Placeholder(name)), ids)
  })
  return {
    async execute(db, params, ids) {
      if (ids.length === 0) return []
      const length = 2 ** Math.ceil(Math.log2(ids.length))
      return compiled.run(db, length, ({ name, at }) =>
        at === undefined ? params[name as keyof P] : (ids[at] ?? ids.at(-1)),
      )
    },
  }
}

/** Marks a parameter of a compiled query that is filled in later. `at`: its place in the list of ids. */
class Placeholder {
  readonly name: PropertyKey
  readonly at: number | undefined

  constructor(name: PropertyKey, at?: number) {
    this.name = name
    this.at = at
  }
}

// Typed as the value whose place it takes.
const mark = (placeholder: Placeholder) => sql`${placeholder}` as never

class CompiledQueries<R> {
  readonly #build: (db: Reader, length: number) => Compilable<R>
  // The SQL differs by dialect. A server uses one; tests use both.
  readonly #byDialect = new WeakMap<QueryExecutor['adapter'], Map<number, CompiledQuery<R>>>()

  constructor(build: (db: Reader, length: number) => Compilable<R>) {
    this.#build = build
  }

  /** `length`: how many ids the query has. */
  async run(db: Reader, length: number, valueOf: (placeholder: Placeholder) => unknown): Promise<R[]> {
    const query = this.#compile(db, length)
    const parameters = query.parameters.map((value) => (value instanceof Placeholder ? valueOf(value) : value))
    const filled: CompiledQuery<R> = { ...query, parameters }
    return (await db.executeQuery(filled)).rows
  }

  #compile(db: Reader, length: number): CompiledQuery<R> {
    const { adapter } = db.getExecutor()
    const byLength = this.#byDialect.get(adapter) ?? new Map<number, CompiledQuery<R>>()
    this.#byDialect.set(adapter, byLength)
    const known = byLength.get(length)
    if (known !== undefined) return known
    const compiled = this.#build(db, length).compile()
    byLength.set(length, compiled)
    names.set(compiled.query, `holdfast_${++namesGiven}`)
    return compiled
  }
}
