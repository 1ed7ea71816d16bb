import { expect, it } from 'vitest'
import { memberRoles, includesRole } from '../src/auth/vault-roles.ts'
import type { Route } from '../src/operation/operation.ts'
import { useTestApp } from './app.ts'
import { eachDialect } from './dialects.ts'
import { makeWorld } from './sweep-world.ts'
import {
  checkAccess,
  checkRefusals,
  callInNewWorld,
  findTraces,
  makePeople,
  routesInVaults,
  routesOutsideVaults,
} from './vault-roles.ts'

/** The whole access matrix of shared vaults, generated from the registry: all operations with everyone, on both databases. */

eachDialect('in the vault of someone else', (dialect) => {
  let at = Date.now()
  const test = useTestApp({ dialect, now: () => (at += 10), runsJobs: false })

  it('people may call exactly what their role allows', { timeout: 1_200_000 }, async () => {
    const world = await makeWorld(test())
    const people = await makePeople(test(), world)
    let cells = 0
    for (const route of routesInVaults) cells += await checkRefusals(test(), route, { world, people })
    const leaves = (route: Route) => route.name === 'delete-vault-member'
    for (const route of routesInVaults.toSorted((a, b) => Number(leaves(a)) - Number(leaves(b))))
      cells += await checkAccess(test(), route, world, people)
    expect(routesInVaults.length).toBeGreaterThan(65)
    expect(cells).toBe(routesInVaults.length * 7)
  })

  it('each call that a role allows succeeds', { timeout: 1_200_000 }, async () => {
    const allowed = routesInVaults.flatMap((route) =>
      memberRoles.filter((role) => includesRole(role, route.leastRole)).map((role) => [route, role] as const),
    )
    for (const [route, role] of allowed) {
      const { status, text } = await callInNewWorld(test(), route, role)
      expect([route.name, role, status < 300], text).toEqual([route.name, role, true])
    }
  })

  it('what people have for themselves shows nothing of it', { timeout: 600_000 }, async () => {
    const world = await makeWorld(test())
    const { members } = await makePeople(test(), world)
    for (const route of routesOutsideVaults.filter(({ effect }) => effect === 'read'))
      for (const person of Object.values(members))
        expect([route.name, await findTraces(test(), route, world, person)]).toEqual([route.name, []])
  })
})
