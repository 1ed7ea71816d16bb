import { expect } from 'vitest'
import { includesRole, memberRoles, type MemberRole } from '../src/auth/vault-roles.ts'
import { newId } from '../src/core/ids.ts'
import { routes } from '../src/api/registry.ts'
import type { Route } from '../src/operation/operation.ts'
import type { Answer, TestApp } from './app.ts'
import { makeInvitation, makeMember, makeUser, type TestUser } from './factories.ts'
import { asksForSecret, inputFor, makeWorld, type World } from './sweep-world.ts'

/** Every operation that people call in a vault, with everyone who may have something to do with the vault of someone else. */

/** From the registry: a new operation is in the matrix with the role that it declares. */
export const routesInVaults: readonly Route[] = routes.filter(
  ({ audience, isInVault }) => audience === 'person' && isInVault,
)

/** What people have for themselves: it must not change for those who share a vault, and show nothing of it. */
export const routesOutsideVaults: readonly Route[] = routes.filter(
  (route) => route.audience === 'person' && !route.isInVault && !asksForSecret(route) && route.name !== 'log-out',
)

const everyone = ['removed', 'left', 'invited', 'never invited'] as const
type Outsider = (typeof everyone)[number]

/** People with a vault of someone else: by what they are in it. */
export interface People {
  members: Readonly<Record<MemberRole, TestUser>>
  outsiders: Readonly<Record<Outsider, TestUser>>
}

/** All have something to do with the first vault of this world. */
export async function makePeople(test: TestApp, { user: owner }: World): Promise<People> {
  const make = async (role?: MemberRole) => {
    const person = await makeUser(test)
    if (role !== undefined) await makeMember(test, owner, person.userId, role)
    return person
  }
  const [viewer, editor, admin] = [await make('viewer'), await make('editor'), await make('admin')]
  const [removed, left, invited, stranger] = [await make('admin'), await make('admin'), await make(), await make()]
  const leave = (by: TestUser, { userId }: TestUser) =>
    test.call('delete-vault-member', { vaultId: owner.vaultId, userId }, { key: by.dashboardToken })
  expect((await leave(owner, removed)).status).toBe(200)
  expect((await leave(left, left)).status).toBe(200)
  await makeInvitation(test, owner, invited, 'admin')
  return {
    members: { viewer, editor, admin },
    outsiders: { removed, left, invited, 'never invited': stranger },
  }
}

const call = (test: TestApp, route: Route, { dashboardToken: key }: TestUser, body: object): Promise<Answer> =>
  test.call(route.name, body, { audience: 'person', key })

/** The operation's own example in the shared vault. */
const inputIn = (route: Route, world: World): Record<string, unknown> => ({
  ...inputFor(route, world),
  [vaultFieldOf(route)]: world.user.vaultId,
})

const vaultFieldOf = ({ vault }: Route) => (vault === 'named' ? 'id' : 'vaultId')

/** Calls one operation as everyone. Members below its role get a 403, outsiders the answer for a vault that doesn't exist. Returns the number of cells. */
export async function checkRefusals(
  test: TestApp,
  route: Route,
  { world, people }: { world: World; people: People },
  outsiders: readonly Outsider[] = everyone,
): Promise<number> {
  const input = inputIn(route, world)
  let cells = 0
  for (const role of memberRoles.filter((each) => !includesRole(each, route.leastRole))) {
    const answer = await call(test, route, people.members[role], input)
    expect([route.name, role, answer.status], answer.text).toEqual([route.name, role, 403])
    cells++
  }
  const unknown = await call(test, route, people.outsiders['never invited'], {
    ...input,
    [vaultFieldOf(route)]: newId(),
  })
  for (const who of outsiders) {
    const answer = await call(test, route, people.outsiders[who], input)
    expect([route.name, who, answer.status, answer.text]).toEqual([route.name, who, 404, unknown.text])
    cells++
  }
  return cells
}

/** Whether the vault opened for this member: the call may still fail for other reasons, such as a record that a former call has changed. */
export async function checkAccess(test: TestApp, route: Route, world: World, people: People): Promise<number> {
  let cells = 0
  for (const role of memberRoles.filter((each) => includesRole(each, route.leastRole))) {
    const answer = await call(test, route, people.members[role], inputAs(route, world, people.members[role]))
    expect([route.name, role, answer.status, answer.text]).not.toEqual([route.name, role, 403, answer.text])
    expect(answer.text).not.toContain('Vault not found')
    cells++
  }
  return cells
}

/** Calls it as a member of the vault of a new world. */
export async function callInNewWorld(test: TestApp, route: Route, role: MemberRole): Promise<Answer> {
  const world = await makeWorld(test)
  const person = await makeUser(test)
  await makeMember(test, world.user, person.userId, role)
  return call(test, route, person, inputAs(route, world, person))
}

/** Everyone may leave, which is the least that this operation does. */
const inputAs = (route: Route, world: World, { userId }: TestUser) => ({
  ...inputIn(route, world),
  ...(route.name === 'delete-vault-member' && { userId }),
})

/** What this person's answer contains of the vault that is shared with them. */
export async function findTraces(test: TestApp, route: Route, world: World, person: TestUser): Promise<string[]> {
  const { text } = await call(test, route, person, inputFor(route, { ...world, user: person }))
  const { memoryId, noteId, taskId, integrationId, webhookId, runId } = world
  return [memoryId, noteId, taskId, integrationId, webhookId, runId].filter((trace) => text.includes(trace))
}
