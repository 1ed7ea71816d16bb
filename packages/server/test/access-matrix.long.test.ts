import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeContracts } from '../src/api/contracts.ts'
import { routes } from '../src/api/registry.ts'
import { newId } from '../src/core/ids.ts'
import { sha256 } from '../src/crypto/hash.ts'
import { newSecret } from '../src/crypto/secrets.ts'
import type { Route } from '../src/operation/operation.ts'
import { useTestApp, type Answer } from './app.ts'
import { makeAgent, makeVault, type TestUser } from './factories.ts'
import { idFieldsOf, withId } from './field-values.ts'
import { measured } from './promises/measured.ts'
import { asksForSecret, callAs, inputFor, makeWorld, sharedWorldsOf, type World } from './sweep-world.ts'

/** Every operation with every caller who may not call it, and with every id of someone else. The database of the victim must not change. */

// A person may call 3,000 times a minute: each reading of the clock advances it.
let at = Date.now()
const test = useTestApp({ now: () => (at += 10), runsJobs: false })
const strangersWorld = sharedWorldsOf(test)

type Cell = [caller: string, status: number]

/** Keys that must fail whatever they ask for. */
async function badKeys(user: TestUser): Promise<[caller: string, key: string | undefined, status: number][]> {
  const make = (over: Parameters<typeof makeAgent>[2]) => makeAgent(test(), user, { preset: 'admin', ...over })
  return [
    ['nobody', undefined, 401],
    ['a malformed key', 'svc_x', 401],
    ['an unknown key', newSecret('svc_'), 401],
    ['a revoked key', await make({ key: { isRevoked: true } }), 401],
    ['an expired key', await make({ key: { expiresAt: 1 } }), 401],
    ['the key of a paused integration', await make({ isActive: false }), 403],
  ]
}

const callersOf: Record<Route['audience'], (world: World) => Promise<[string, string | undefined, number][]>> = {
  anyone: () => Promise.resolve([]),
  agent: async ({ user }) => [
    ...(await badKeys(user)),
    ['the person', user.dashboardToken, 401],
    ['the operator', test().app.operatorToken.token, 401],
  ],
  person: async ({ key }) => [
    ['nobody', undefined, 401],
    ['an agent of the person', key, 401],
    ['an unknown token', newSecret('hfd_'), 401],
    ['an unknown cookie', newSecret('hfc_'), 401],
    ['a wrong operator', newSecret('hfo_'), 401],
  ],
  operator: async ({ key, user }) => [
    ['nobody', undefined, 401],
    ['an agent', key, 401],
    ['a person', user.dashboardToken, 401],
    ['a wrong operator', newSecret('hfo_'), 401],
  ],
}

/** Keys of the victim that lack a scope, a vault or the encryption. */
async function limitedKeys({ user }: World): Promise<[string, string, (route: Route) => boolean][]> {
  const elsewhere = await makeVault(test(), user)
  const inVault = ({ vault }: Route) => vault === 'resolved' || vault === 'required'
  return [
    [
      'a key that may only read',
      await makeAgent(test(), user, { preset: 'read_only' }),
      ({ scopes }) => scopes.some((scope) => scope === 'write' || scope === 'admin'),
    ],
    [
      'a key without admin',
      await makeAgent(test(), user, { preset: 'read_write' }),
      ({ scopes }) => scopes.includes('admin'),
    ],
    [
      'a key of another vault',
      await makeAgent(test(), user, { preset: 'admin', restrictToVault: true, vaults: [{ vaultId: elsewhere }] }),
      inVault,
    ],
    [
      'a key of no vault',
      await makeAgent(test(), user, { preset: 'admin', restrictToVault: true }),
      ({ scopes }) => scopes.length > 0,
    ],
    ['a key without encryption', await makeAgent(test(), user, { preset: 'admin', withoutWrap: true }), inVault],
  ]
}

const inputs = new Map(describeContracts(routes).contracts.map(({ operation, input }) => [operation, input] as const))

const sendAs = (route: Route, body: Record<string, unknown>, key: string | undefined): Promise<Answer> =>
  test().call(route.name, body, { audience: route.audience, ...(key !== undefined && { key }) })

/** Everything of the victim that is stored, except what records calls. */
async function digest(userId: string): Promise<Map<string, string>> {
  const { db } = test().app.services
  const tables = await db.read.introspection.getTables()
  const found = new Map<string, string>()
  for (const { name, columns } of tables) {
    const owner = columns.find((column) => column.name === 'userId')
    if (owner === undefined || recordsCalls.has(name)) continue
    const { rows } = await sql<object>`select * from ${sql.table(name)} where ${sql.ref('userId')} = ${userId}`.execute(
      db.read,
    )
    const texts = rows.map((row) => JSON.stringify({ ...row, lastUsedAt: undefined })).toSorted()
    found.set(name, sha256(texts.join('\n')).toString('hex'))
  }
  return found
}

/** A call of the victim's own agent is recorded, even if it is refused. */
const recordsCalls = new Set(['activity', 'callCounts', 'usage', 'runs', 'runCalls', 'agentSightings'])

async function refuseCallers(victim: World): Promise<Cell[]> {
  const cells: Cell[] = []
  for (const route of routes) {
    const body = inputFor(route, victim)
    for (const [caller, key, status] of await callersOf[route.audience](victim)) {
      const answer = await sendAs(route, body, key)
      expect([route.name, caller, answer.status], answer.text).toEqual([route.name, caller, status])
      cells.push([caller, status])
    }
  }
  for (const [caller, key, isRefused] of await limitedKeys(victim))
    for (const route of routes.filter((one) => one.audience === 'agent' && isRefused(one))) {
      const answer = await sendAs(route, { vaultId: victim.user.vaultId, ...inputFor(route, victim) }, key)
      expect([route.name, caller, answer.status], answer.text).toEqual([route.name, caller, 403])
      cells.push([caller, 403])
    }
  return cells
}

/** Another person's calls with ids of the victim, each compared with the same call with an unknown id. */
async function refuseIds(victim: World): Promise<Cell[]> {
  const cells: Cell[] = []
  for (const route of routes.filter((one) => one.audience === 'agent' || one.audience === 'person')) {
    if (asksForSecret(route) || route.name === 'log-out') continue
    for (const field of idFieldsOf(inputs.get(route) ?? {}))
      for (const id of idsOf(victim)) {
        const [foreign, unknown] = [await askWith(route, field, id), await askWith(route, field, newId())]
        expect([route.name, field, foreign]).toEqual([route.name, field, unknown])
        cells.push([`another person, with an id in ${field}`, foreign.status])
      }
  }
  return cells
}

const idsOf = ({ memoryId, noteId, messageId, integrationId, user }: World) => [
  memoryId,
  noteId,
  messageId,
  integrationId,
  user.vaultId,
]

async function askWith(route: Route, field: string, id: string): Promise<{ status: number; text: string }> {
  const world = await strangersWorld(route)
  const schema = inputs.get(route)?.properties?.[field] ?? {}
  const { status, text } = await callAs(test(), route, world, {
    ...inputFor(route, world),
    [field]: withId(schema, id),
  })
  // Calls that succeed without the id return new ids, times and versions.
  return { status, text: status < 300 ? '' : text.replaceAll(id, '<id>') }
}

it('every cell of the access matrix is refused, and changes nothing', { timeout: 1_200_000 }, async () => {
  const victim = await makeWorld(test())
  const own = await digest(victim.user.userId)
  const byIds = await refuseIds(victim)
  expect(await digest(victim.user.userId)).toEqual(own)
  const byCallers = await refuseCallers(victim)
  const after = await digest(victim.user.userId)
  // The limited keys of the matrix are the victim's own.
  for (const made of ['integrations', 'agentKeys', 'vaults', 'vaultGrants', 'vaultKeys']) {
    own.delete(made)
    after.delete(made)
  }
  expect(after).toEqual(own)
  const cells = [...byIds, ...byCallers]
  expect(cells.length).toBeGreaterThanOrEqual(1_500)
  const count = (status: number) => cells.filter((cell) => cell[1] === status).length
  measured({ cells: cells.length, 'answers 401': count(401), 'answers 403': count(403), 'answers 404': count(404) })
})
