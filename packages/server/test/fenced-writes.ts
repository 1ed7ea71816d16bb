import type { CompiledQuery } from 'kysely'
import { asSealed, generationOf } from '../src/crypto/cell.ts'
import type { Database, Tx } from '../src/db/dialect.ts'
import { sealedPlaces } from '../src/rotation/sealed-places.ts'

/**
 * Watches all transactions: one that stores a value sealed under a key of a vault or user must check, under the lock of that row, that the
 * key may still seal. Without this, a rotation can delete the key before the commit, and the value is lost. Returns the statements that
 * were not checked, as they come.
 */
export function watchSeals(db: Database): string[] {
  const unchecked: string[] = []
  const write = db.write.bind(db)
  db.write = (work) =>
    write(async (tx) => {
      const { restore, statements } = listen(tx)
      try {
        return await work(tx)
      } finally {
        restore()
        unchecked.push(...findUnchecked(statements))
      }
    })
  return unchecked
}

function listen(tx: Tx): { restore(): void; statements: CompiledQuery[] } {
  const statements: CompiledQuery[] = []
  const executor = tx.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  executor.executeQuery = <R>(query: CompiledQuery<R>) => {
    statements.push(query)
    return execute(query)
  }
  return { statements, restore: () => (executor.executeQuery = execute) }
}

function findUnchecked(statements: readonly CompiledQuery[]): string[] {
  const checked = { users: new Set<unknown>(), vaults: new Set<unknown>() }
  return statements.flatMap(({ sql, parameters }) => {
    const [, table = ''] = /^(?:insert into|update|select .* from) "(\w+)"/.exec(sql) ?? []
    if ((table === 'users' || table === 'vaults') && sql.includes('"minGeneration"'))
      for (const value of parameters) checked[table].add(value)
    const place = sealedPlaces.find((one) => one.table === table)
    if (place === undefined || sql.startsWith('select') || !parameters.some(isCell)) return []
    const owners = place.scope === 'userId' ? [checked.users] : [checked.vaults, checked.users]
    // Defaults for all vaults are documents of a user, outside of vaults.
    const allowed = table.startsWith('document') ? owners : owners.slice(0, 1)
    return parameters.some((value) => isId(value) && allowed.some((ids) => ids.has(value))) ? [] : [sql]
  })
}

const isId = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value)

const shortestCell = 34

/** With a number of a key, which keys that are wrapped don't have at this place. */
const isCell = (value: unknown): boolean =>
  value instanceof Uint8Array &&
  value.length >= shortestCell &&
  value[0] === 1 &&
  value[1] === 1 &&
  generationOf(asSealed(value)) < 100
