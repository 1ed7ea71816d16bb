import type { Compilable, CompiledQuery } from 'kysely'
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { routes } from '../src/api/registry.ts'
import { newId } from '../src/core/ids.ts'
import type { Route } from '../src/operation/operation.ts'
import { type TestApp, useTestApp } from './app.ts'
import { makeVault } from './factories.ts'
import { callAs, inputFor, makeWorld, type World } from './sweep-world.ts'

/** Every operation that reads a vault, while its owner deletes the vault. */

const test = useTestApp({ runsJobs: false })

let world: World
beforeAll(async () => {
  world = await makeWorld(test())
})

const vaultFieldOf = ({ vault }: Route) => (vault === 'named' ? 'id' : 'vaultId')

// The activity keeps what was done in deleted vaults.
const reading = routes.filter(
  ({ effect, input, isInVault, name }) =>
    (effect === 'read' && (isInVault || 'vaultId' in input.shape) && name !== 'list-activity') || name === 'revert-run',
)

/** Deletes the vault once, after the next call has found it and before it reads there. */
function deleteOnceFound({ app }: TestApp, deleteVault: () => Promise<unknown>) {
  const { read } = app.services.db
  const execute = read.executeQuery.bind(read)
  const spy = vi.spyOn(read, 'executeQuery').mockImplementation(async <R>(query: Query<R>) => {
    const found = await execute(query)
    if (found.rows.some((row) => Object.hasOwn(Object(row), 'isWatched'))) {
      spy.mockRestore()
      await deleteVault()
    }
    return found
  })
  onTestFinished(() => spy.mockRestore())
}

type Query<R> = CompiledQuery<R> | Compilable<R>

it.each(reading)('$name of $audience does not find a vault that is deleted meanwhile', async (route) => {
  const name = newId()
  const vaultId = await makeVault(test(), world.user, name)
  const input = { ...inputFor(route, world), [vaultFieldOf(route)]: vaultId }
  let deleted = 0
  deleteOnceFound(test(), async () => {
    deleted = (await test().call('delete-vault', { id: vaultId, name }, { key: world.user.dashboardToken })).status
  })
  const { status, text } = await callAs(test(), route, world, input)
  expect(deleted).toBe(200)
  // Or the record that the call names, because it is in another vault.
  expect([status, text]).toEqual([404, expect.stringMatching(/^\{"error":"(Vault|Memory|Note|Node|Run) not found"\}$/)])
})
