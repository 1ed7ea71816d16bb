import { describe, expect, it } from 'vitest'
import { describeContracts } from '../src/api/contracts.ts'
import { operations, routes } from '../src/api/registry.ts'
import { newId } from '../src/core/ids.ts'
import { newSecret } from '../src/crypto/secrets.ts'
import { useTestApp, type CallOptions } from './app.ts'
import { makeAgent, makeUser, makeVault } from './factories.ts'
import { callAs, inputFor, makeWorld, type World } from './sweep-world.ts'

/** Who may call what: every operation of the registry, now and later, with every kind of credential. */

const test = useTestApp()

const agentOperations = routes.filter(({ audience }) => audience === 'agent')
const withScopes = agentOperations.filter(({ scopes }) => scopes.length > 0)
const inVaults = agentOperations.filter(({ vault }) => vault === 'resolved' || vault === 'required')

describe('the registry', () => {
  it('has one name and one route for each operation', () => {
    const names = operations.map(({ name }) => name)
    const addresses = routes.map(({ method, path }) => `${method} ${path}`)
    expect(names).toEqual([...new Set(names)])
    expect(addresses).toEqual([...new Set(addresses)])
  })

  // An API that people can know as a whole. Before you add one over the limit, merge others.
  it('has at most 150 operations', () => {
    expect(operations.length).toBeLessThanOrEqual(150)
  })

  it('has no GET that changes something', () => {
    const changing = routes.filter(
      ({ method, effect, changes }) => method === 'GET' && (effect !== 'read' || changes.length > 0),
    )
    expect(changing.map(({ name }) => name)).toEqual([])
  })

  it('puts each agent operation under /api/agent, by its name', () => {
    for (const { name, method, path } of agentOperations)
      expect([method, path]).toEqual([name === 'info' ? 'GET' : 'POST', `/api/agent/${name}`])
  })

  it('returns at most 100 records in a page of a list', () => {
    const lists = routes.filter(({ output }) => 'hasMore' in ((output as { shape?: object }).shape ?? {}))
    expect(lists.length).toBeGreaterThan(20)
    for (const { name, input, examples } of lists) {
      const fits = (limit: number) => input.safeParse({ ...(examples.input as object), limit }).success
      expect([name, fits(100), fits(101)]).toEqual([name, true, false])
    }
  })

  it('requires the documented scopes', () => {
    const read = ['session-start', 'read-memories', 'get-related-memories', 'list-tasks', 'read-note', 'read-notes']
    const readMore = ['list-notes', 'explore-graph', 'get-links', 'list-folders', 'list-vaults', 'read-messages']
    const readRest = ['pending-messages', 'list-active-agents', 'read-document', 'get-settings']
    const search = new Set(['search-memories', 'semantic-search', 'search-notes', 'search-and-read'])
    const scopesOf = (name: string) => {
      if (name === 'info') return []
      if (name === 'update-settings') return ['admin']
      if (search.has(name)) return ['read', 'search']
      return [...read, ...readMore, ...readRest].includes(name) ? ['read'] : ['write']
    }
    for (const { name, scopes } of agentOperations) expect([name, scopes]).toEqual([name, scopesOf(name)])
  })
})

// The limits that callers rely on, for the existing operations.
const limits: Record<string, Record<string, object>> = {
  'write-memory': {
    content: { minLength: 1, maxLength: 100_000 },
    summary: { maxLength: 2000 },
    importance: { type: 'integer', minimum: 1, maximum: 5, default: 3 },
    confidence: { type: 'integer', minimum: 1, maximum: 5, default: 3 },
  },
  'update-memory': {
    content: { minLength: 1, maxLength: 100_000 },
    summary: { maxLength: 2000 },
    importance: { type: 'integer', minimum: 1, maximum: 5 },
    confidence: { type: 'integer', minimum: 1, maximum: 5 },
  },
  'search-memories': {
    query: { minLength: 1, maxLength: 10_000 },
    topK: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
    threshold: { type: 'number', minimum: 0, maximum: 1, default: 0.4 },
    decayHalfLife: { type: 'integer', minimum: 1, maximum: 365, default: 30 },
    diversity: { type: 'number', minimum: 0, maximum: 1, default: 0.7 },
    includeArchived: { default: false },
  },
  'semantic-search': {
    query: { minLength: 1, maxLength: 10_000 },
    topK: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
    threshold: { type: 'number', minimum: 0, maximum: 1, default: 0.5 },
  },
  'session-start': {
    maxEpisodic: { type: 'integer', minimum: 0, maximum: 10 },
    maxTasks: { type: 'integer', minimum: 0, maximum: 10 },
    maxFacts: { type: 'integer', minimum: 0, maximum: 20 },
    maxConstraints: { type: 'integer', minimum: 0, maximum: 20 },
    maxResponseChars: { type: 'integer', minimum: 2000, maximum: 100_000, default: 16_000 },
  },
  'context-checkpoint': { memories: { maxItems: 50 } },
  'ingest-turn': {
    content: { minLength: 1, maxLength: 50_000 },
    signalThreshold: { type: 'integer', minimum: 0, maximum: 10 },
  },
  'create-task': {
    title: { minLength: 1, maxLength: 10_000 },
    description: { maxLength: 100_000 },
    priority: { type: 'integer', minimum: 1, maximum: 5, default: 3 },
  },
  'explore-graph': {
    maxHops: { type: 'integer', minimum: 1, maximum: 5, default: 2 },
    maxNodes: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
  },
  'add-link': { label: { maxLength: 500 } },
  'send-message': {
    subject: { maxLength: 200 },
    content: { minLength: 1, maxLength: 10_240 },
    priority: { type: 'integer', minimum: 1, maximum: 5, default: 3 },
    expiresInDays: { type: 'integer', minimum: 1, maximum: 365, default: 30 },
  },
  'create-webhook': { url: { maxLength: 2048 } },
}

describe('the limits of fields', () => {
  const { contracts } = describeContracts(routes)

  it.each(Object.keys(limits).filter((name) => routes.some((operation) => operation.name === name)))(
    'hold for %s',
    (name) => {
      const contract = contracts.find(({ operation }) => operation.name === name)
      for (const [field, limit] of Object.entries(limits[name] ?? {}))
        expect([field, contract?.input.properties?.[field]]).toEqual([field, expect.objectContaining(limit)])
    },
  )
})

describe.each(agentOperations)('$name', (operation) => {
  const call = (options: CallOptions) =>
    test().call(operation.name, operation.examples.input, { ...options, audience: 'agent' })

  it('returns the same error for every credential that is not a valid key', async () => {
    const user = await makeUser(test())
    const good = await makeAgent(test(), user)
    const wrong: [string, CallOptions][] = [
      ['no header', {}],
      ['Basic', { headers: { authorization: `Basic ${good}` } }],
      ['malformed', { key: 'svc_' }],
      ['bad checksum', { key: `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}` }],
      ['unknown', { key: newSecret('svc_') }],
      ['revoked', { key: await makeAgent(test(), user, { key: { isRevoked: true } }) }],
      ['expired', { key: await makeAgent(test(), user, { key: { expiresAt: Date.now() - 1 } }) }],
      ["a person's token", { key: user.dashboardToken }],
      ["the operator's token", { key: test().app.operatorToken.token }],
      ['a cookie', { headers: { cookie: `holdfast=${newSecret('hfc_')}`, 'x-requested-with': 'x' } }],
      ['a key in another header', { headers: { 'x-api-key': good } }],
    ]
    for (const [kind, options] of wrong) {
      const { status, body } = await call(options)
      expect([kind, status, body]).toEqual([kind, 401, { error: 'Invalid or missing agent key' }])
    }
  })

  it('ignores a key in the query and in the body', async () => {
    const key = await makeAgent(test(), await makeUser(test()))
    const { method, path } = operation
    const tries = ['key', 'api_key', 'apiKey', 'access_token', 'authorization'].map(async (name) => {
      const payload = method === 'GET' ? {} : { payload: { [name]: key } }
      const response = await test().app.server.inject({ method, url: path, query: { [name]: key }, ...payload })
      return response.statusCode
    })
    expect(await Promise.all(tries)).toEqual(tries.map(() => 401))
  })

  it('rejects the key of an inactive integration', async () => {
    const key = await makeAgent(test(), await makeUser(test()), { isActive: false, preset: 'read_only' })
    const { status, body } = await call({ key, raw: '{' })
    expect([status, body]).toEqual([403, { error: 'Integration is inactive' }])
  })

  it('works without the encryption of its integration only if it needs none', async () => {
    const user = await makeUser(test())
    const key = await makeAgent(test(), user, { preset: 'admin', withoutWrap: true })
    const { status, body } = await call({ key, raw: JSON.stringify({ vaultId: user.vaultId }) })
    const refusal = {
      error: 'Integration encryption is not configured. Re-create the integration from the dashboard.',
    }
    const needsNone = operation.vault === 'none'
    expect([status, needsNone ? undefined : body]).toEqual(needsNone ? [200, undefined] : [403, refusal])
  })
})

describe.each(withScopes)('$name', (operation) => {
  const scope = operation.scopes.includes('admin') ? 'admin' : operation.scopes[0]
  const denied = { error: `SCOPE_DENIED: this key lacks the "${scope}" permission` }

  it('rejects a key without its scope, before the body is read', async () => {
    const user = await makeUser(test())
    // A key that is restricted to no vault has no scopes; a read-only one lacks every scope for changes.
    const isRead = operation.scopes.includes('read')
    const key = await makeAgent(test(), user, isRead ? { restrictToVault: true } : { preset: 'read_only' })
    for (const raw of ['{}', '{', '[]', '{"vaultId":7}']) {
      const { status, body } = await test().call(operation.name, undefined, { key, raw })
      expect([raw, status, body]).toEqual([raw, 403, denied])
    }
  })

  it('applies a change of the integration to the very next call', async () => {
    const world = await makeWorld(test())
    expect((await callAs(test(), operation, world, inputFor(operation, world))).status).toBeLessThan(300)
    const preset = 'something a newer version made up'
    const { db } = test().app.services
    await db.write((tx) =>
      tx.updateTable('integrations').set({ preset }).where('id', '=', world.integrationId).execute(),
    )
    expect((await callAs(test(), operation, world, inputFor(operation, world))).status).toBe(403)
  })
})

describe.each(inVaults)('$name', (operation) => {
  const noAccess = { error: 'SCOPE_DENIED: this key has no access to the requested vault' }
  const inVault = (key: string, vaultId: string, raw = JSON.stringify({ vaultId })) =>
    test().call(operation.name, undefined, { key, raw })

  it('returns a restricted key the same error for every vault that is not granted', async () => {
    const [user, stranger] = [await makeUser(test()), await makeUser(test())]
    const other = await makeVault(test(), user)
    const vaults = [{ vaultId: user.vaultId }]
    const key = await makeAgent(test(), user, { preset: 'admin', restrictToVault: true, vaults })
    for (const vaultId of [other, stranger.vaultId, newId()]) {
      const { status, body } = await inVault(key, vaultId)
      expect([status, body]).toEqual([403, noAccess])
    }
  })

  it('returns a key of one vault the same error', async () => {
    const user = await makeUser(test())
    const key = await makeAgent(test(), user, { preset: 'admin', key: { vaultId: await makeVault(test(), user) } })
    const { status, body } = await inVault(key, user.vaultId)
    expect([status, body]).toEqual([403, noAccess])
  })

  it("returns an unrestricted key the same error for another person's vault and an unknown one", async () => {
    const [user, stranger] = [await makeUser(test()), await makeUser(test())]
    const key = await makeAgent(test(), user, { preset: 'admin' })
    for (const vaultId of [stranger.vaultId, newId(), user.userId]) {
      const { status, body } = await inVault(key, vaultId)
      expect([status, body]).toEqual([404, { error: 'Vault not found' }])
    }
  })

  it("uses the vault's own preset, whether it allows less or more", async () => {
    const user = await makeUser(test())
    const second = await makeVault(test(), user)
    const scope = operation.scopes.includes('write') ? 'write' : 'admin'
    const less = await makeAgent(test(), user, { preset: 'admin', vaults: [{ vaultId: second, preset: 'read_only' }] })
    const more = await makeAgent(test(), user, { preset: 'read_only', vaults: [{ vaultId: second, preset: 'admin' }] })
    const denied = { error: `SCOPE_DENIED: this key lacks the "${scope}" permission` }
    // Every preset includes reading, so no preset can remove it.
    const isTaken = operation.scopes.some((needed) => needed === scope)
    const refusals = isTaken ? [await inVault(less, second), await inVault(more, user.vaultId)] : []
    for (const { status, body } of refusals) expect([status, body]).toEqual([403, denied])
    expect((await inVault(less, user.vaultId)).status).not.toBe(403)
    expect((await inVault(more, second)).status).not.toBe(403)
  })

  it('requires a vault if there is no default', async () => {
    const key = await makeAgent(test(), await makeUser(test()), { preset: 'admin', primaryVaultId: null })
    const { status, body } = await test().call(operation.name, {}, { key })
    expect([status, Object.keys(body.fields as object)]).toEqual([400, ['vaultId']])
  })

  it('resolves the vault before it validates the other fields', async () => {
    const key = await makeAgent(test(), await makeUser(test()), { preset: 'admin' })
    expect((await inVault(key, newId(), `{"vaultId":"${newId()}","limit":"x"}`)).status).toBe(404)
    for (const vaultId of ['7', '"x"', '[]', `"${newId()}0"`])
      expect(await inVault(key, '', `{"vaultId":${vaultId}}`)).toMatchObject({
        status: 400,
        body: { fields: { vaultId: expect.any(String) } },
      })
  })
})

// One world for all: a rejected call changes nothing.
let refused: Promise<World> | undefined

describe.each(routes.filter(({ audience }) => audience === 'person' || audience === 'operator'))(
  '$name',
  (operation) => {
    it('accepts only its own kind of credential', async () => {
      const world = await (refused ??= makeWorld(test()))
      const tokens = [undefined, world.key, newSecret('hfd_'), newSecret('hfo_'), newSecret('hfc_')]
      const wrong = operation.audience === 'operator' ? [...tokens, world.user.dashboardToken] : tokens
      const what = operation.audience === 'operator' ? 'operator token' : 'dashboard session'
      for (const key of wrong) {
        const { status, body } = await test().call(
          operation.name,
          {},
          {
            audience: operation.audience,
            ...(key !== undefined && { key }),
          },
        )
        expect([status, body]).toEqual([401, { error: `Invalid or missing ${what}` }])
      }
    })
  },
)
