import { beforeAll, describe, expect, it } from 'vitest'
import { useTestApp } from './app.ts'
import type { TestUser } from './factories.ts'
import { makeWorld, type World } from './sweep-world.ts'
import { checkAccess, checkRefusals, makePeople, type People, routesInVaults } from './vault-roles.ts'

/** Who may do what in the vault of someone else, for each operation: see `vault-roles.long.test.ts` for both databases, and for success. */

let at = Date.now()
const test = useTestApp({ now: () => (at += 10), runsJobs: false })

let world: World
let people: People
beforeAll(async () => {
  world = await makeWorld(test())
  people = await makePeople(test(), world)
})

describe('in the vault of someone else', () => {
  // Before the members leave.
  it('viewers may preview what undoing a run does, and editors undo it', async () => {
    const { members } = people
    const revert = async ({ dashboardToken: key }: TestUser, dryRun: boolean) =>
      (await test().call('revert-run', { vaultId: world.user.vaultId, id: world.runId, dryRun }, { key })).body
    expect(await revert(members.viewer, true)).toMatchObject({ dryRun: true })
    expect(await revert(members.viewer, false)).toEqual({
      error: 'Your role in this vault is "viewer"; this needs "editor". Ask its owner or an admin to change your role.',
    })
    expect(await revert(members.editor, false)).toMatchObject({ dryRun: false })
  })

  it('people may call exactly what their role allows', async () => {
    let cells = 0
    // Refusals first: nothing has changed yet.
    for (const route of routesInVaults)
      cells += await checkRefusals(test(), route, { world, people }, ['removed', 'never invited'])
    const leaving = routesInVaults.filter(({ name }) => name === 'delete-vault-member')
    for (const route of [...routesInVaults.filter(({ name }) => name !== 'delete-vault-member'), ...leaving])
      cells += await checkAccess(test(), route, world, people)
    expect(routesInVaults.length).toBeGreaterThan(65)
    expect(cells).toBe(routesInVaults.length * 5)
  })

  it('each operation declares a role that some member has, or is listed here', () => {
    const ownersOnly = routesInVaults.filter(({ leastRole }) => leastRole === 'owner').map(({ name }) => name)
    expect(ownersOnly.toSorted()).toEqual([
      'export-records',
      'import-records',
      'move-memories',
      'preview-context',
      'revert-import',
      'send-message',
      'trust-integration',
    ])
    const viewers = routesInVaults.filter(({ leastRole, effect }) => leastRole === 'viewer' && effect !== 'read')
    expect(viewers.map(({ name }) => name)).toEqual(['delete-vault-member', 'revert-run'])
  })
})
