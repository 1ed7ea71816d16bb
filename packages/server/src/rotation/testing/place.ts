import { sql } from 'kysely'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import type { TestDialect } from '../../../test/dialects.ts'
import { ascending } from '../../../test/scenarios.ts'
import type { TestUser } from '../../../test/factories.ts'
import { asSealed, generationOf } from '../../crypto/cell.ts'
import { unlockVault } from '../../jobs/each-vault.ts'
import { rotateVaultKeys } from '../../jobs/list-jobs.ts'

/** A server whose rotations of the keys of vaults go on when a test says so. */

export const begin = Date.parse('2026-11-22T09:00:00.000Z')

export interface Place {
  test: TestApp
  clock: { now: number }
  /** What the server's job does at its next turn. */
  turn(signal?: AbortSignal): Promise<void>
}

export async function startPlace(dialect: TestDialect, maxSeals?: number): Promise<Place> {
  const clock = { now: begin }
  const test = await startTestApp({ dialect, now: () => clock.now, runsJobs: false })
  const job = rotateVaultKeys(test.app.services, maxSeals)
  return { test, clock, turn: (signal = new AbortController().signal) => job.run(signal) }
}

export async function unlock({ app }: TestApp, { userId, vaultId }: TestUser) {
  const vault = await unlockVault(app.services, userId, vaultId)
  if (vault === undefined) throw new Error('the vault exists')
  return vault
}

export async function generationsOfKeys({ test }: Place): Promise<number[]> {
  const keys = await test.app.services.db.read.selectFrom('vaultKeys').select('generation').execute()
  return keys.map(({ generation }) => generation).toSorted(ascending)
}

/** The generations of all cells in a column, of all users. */
export async function generationsIn({ test }: Place, table: string, column: string): Promise<number[]> {
  const { rows } = await sql<{ cell: Uint8Array }>`
    select ${sql.ref(column)} as "cell" from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(
    test.app.services.db.read,
  )
  return [...new Set(rows.map(({ cell }) => generationOf(asSealed(cell))))].toSorted(ascending)
}
