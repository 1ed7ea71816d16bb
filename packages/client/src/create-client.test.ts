import { inspect } from 'node:util'
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest'
import { startAnsweringServer, type Answer } from '../test/answering-server.ts'
import { methodNames, routes } from './generated/routes.ts'
import { createClient, type BadRequestError, type Call, type Client, type Memory, type Task } from './index.ts'

const key = 'svc_of_a_test'
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const vaultId = '0198c5f0-0000-7000-8000-000000000001'

const answering = (body: object): Answer => ({ status: 200, body })
const bodiesOf = (server: { received: { body: string }[] }) =>
  server.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>)

function setVariable(name: string, value: string) {
  vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
}

describe('createClient', () => {
  it('posts the input to the route of the operation and resolves with the answer', async () => {
    const written = { memoryId: 'm1', created: true }
    await using server = await startAnsweringServer({ status: 201, body: written })
    const client = createClient({ url: server.url, key })

    expect(await client.memories.write({ content: 'Tabs.', externalWriteId: 'w1', summary: undefined })).toEqual(
      written,
    )
    expect(server.received).toHaveLength(1)
    expect(server.received[0]).toMatchObject({
      method: 'POST',
      path: '/api/agent/write-memory',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
    expect(bodiesOf(server)).toEqual([{ content: 'Tabs.', externalWriteId: 'w1' }])
    expect(server.received[0]?.headers).not.toHaveProperty('x-agent-run-id')
  })

  it('requests info with a GET and no body', async () => {
    await using server = await startAnsweringServer(answering({ label: 'Laptop' }))
    expect(await createClient({ url: server.url, key }).info()).toEqual({ label: 'Laptop' })
    expect(server.received[0]).toMatchObject({ method: 'GET', path: '/api/agent/info', body: '' })
  })

  it('has each operation under a noun, and by its name', async () => {
    const named = Object.values(methodNames).flatMap((methods) => Object.values<string>(methods))
    expect([...named, 'info'].toSorted()).toEqual(Object.keys(routes).toSorted())

    await using server = await startAnsweringServer(answering({}))
    const client = createClient({ url: server.url, key })
    const nouns = client as unknown as Record<string, Record<string, () => Promise<unknown>>>
    for (const [noun, methods] of Object.entries(methodNames))
      for (const method of Object.keys(methods)) await nouns[noun]?.[method]?.()
    expect(server.received.map(({ path }) => path?.replace('/api/agent/', ''))).toEqual(named)

    await client.call('search-memories', { query: 'tabs' })
    expect(server.received.at(-1)).toMatchObject({ path: '/api/agent/search-memories' })
    expect(() => client.call('no-such-operation' as 'info')).toThrow(TypeError)
  })

  it('sends the run id and custom headers with every call, but never replaces the key', async () => {
    await using server = await startAnsweringServer(answering({}))
    const headers = { 'X-Tenant': 'blue', AUTHORIZATION: 'Bearer svc_other', 'Content-type': 'text/plain' }
    const client = createClient({ url: server.url, key, agentRunId: 'run 7', headers })
    await client.vaults.list()
    await client.info()
    for (const { headers: sent } of server.received)
      expect(sent).toMatchObject({ 'x-agent-run-id': 'run 7', 'x-tenant': 'blue', authorization: `Bearer ${key}` })
    expect(server.received.map(({ headers: sent }) => sent['content-type'])).toEqual(Array(2).fill('application/json'))
  })

  it('keeps a path in front of the API', async () => {
    await using server = await startAnsweringServer(answering({}))
    await createClient({ url: `${server.url}/memory`, key }).info()
    await createClient({ url: `${server.url}/memory/`, key }).info()
    expect(server.received.map(({ path }) => path)).toEqual(['/memory/api/agent/info', '/memory/api/agent/info'])
  })

  it('uses the environment by default', async () => {
    await using server = await startAnsweringServer(answering({}))
    setVariable('HOLDFAST_URL', server.url)
    setVariable('HOLDFAST_KEY', 'svc_of_the_environment')
    await createClient().info()
    expect(server.received[0]?.headers.authorization).toBe('Bearer svc_of_the_environment')
    setVariable('HOLDFAST_KEY', '')
    expect(() => createClient()).toThrow('key: pass one, or set HOLDFAST_KEY')
  })

  it('calls the given fetch', async () => {
    const client = createClient({ url: 'http://nowhere.invalid', key, fetch: async () => Response.json({ total: 3 }) })
    expect(await client.vaults.list()).toEqual({ total: 3 })
  })

  it('rejects invalid options without quoting the key', () => {
    expect(() => createClient({ url: 'nowhere', key })).toThrow(TypeError)
    expect(() => createClient({ url: 'http://nowhere.invalid', key: '' })).toThrow(TypeError)
    expect(() => createClient({ key, timeoutMs: 0 })).toThrow('timeoutMs: must be above 0')
    expect(() => createClient({ key, headers: { 'X-Tenant': 'a\nb' } })).toThrow('X-Tenant: must be printable ASCII')
    const broken = () => createClient({ url: 'http://nowhere.invalid', key: `${key}\nX-Other: 1` })
    expect(broken).toThrow('Authorization: must be printable ASCII')
    expect(broken).not.toThrow(key)
  })

  it.each(['http://ada:s3cret@127.0.0.1:8420', 'http://ada:s3cret@:bad', 'http://s3cret@[::1', 'ada:s3cret@nowhere'])(
    'refuses the address %s without telling what is in it',
    (url) => {
      let error: unknown
      try {
        createClient({ url, key })
      } catch (thrown) {
        error = thrown
      }
      expect(error).toBeInstanceOf(TypeError)
      expect((error as Error).message).toMatch(/^url: must /)
      expect(`${inspect(error, { showHidden: true })} ${JSON.stringify(error)}`).not.toContain('s3cret')
    },
  )

  it('has the types of the contracts: required fields, optional defaults, answers, items of pages', () => {
    type Write = Parameters<Client['memories']['write']>[0]
    expectTypeOf<Write['content']>().toEqualTypeOf<string>()
    expectTypeOf<{ content: string }>().toExtend<Write>()
    expectTypeOf<{ summary: string }>().not.toExtend<Write>()
    expectTypeOf<{ content: string; memoryType: 'wish' }>().not.toExtend<Write>()
    expectTypeOf<[]>().toExtend<Parameters<Client['vaults']['list']>>()
    expectTypeOf<[]>().not.toExtend<Parameters<Client['memories']['search']>>()
    expectTypeOf<[{ documentType: 'soul' }]>().toExtend<Parameters<Client['documents']['read']>>()
    expectTypeOf<Awaited<ReturnType<Client['memories']['read']>>['memories']>().toEqualTypeOf<Memory[]>()
    expectTypeOf<Memory['supersededById']>().toEqualTypeOf<string | null>()
    expectTypeOf<ReturnType<Client['tasks']['list']>>().toExtend<AsyncIterable<Task>>()
    expectTypeOf<ReturnType<Client['memories']['write']>>().not.toExtend<AsyncIterable<unknown>>()
    expectTypeOf<ReturnType<Client['info']>>().toExtend<Call<{ scopes: string[] }>>()
    expectTypeOf<BadRequestError['fields']>().toEqualTypeOf<Readonly<Record<string, string>>>()
  })
})

describe('defaults that a client adds to a call', () => {
  const other = '0198c5f0-0000-7000-8000-000000000002'
  const vaults = [
    { vaultId, name: 'app' },
    { vaultId: other, name: 'notes' },
    { vaultId: other, name: 'twice' },
    { vaultId, name: 'twice' },
  ]
  const listed = answering({ vaults, hasMore: false, offset: 0 })

  it('are its vault and agent, if the call does not name them', async () => {
    await using server = await startAnsweringServer(answering({}))
    const client = createClient({ url: server.url, key, vault: vaultId, agentId: 'gardener' })
    await client.tasks.list({ limit: 5 })
    await client.tasks.list({ vaultId: other, agentId: 'cook' })
    await client.documents.read({ documentType: 'soul' })
    expect(bodiesOf(server)).toEqual([
      { limit: 5, vaultId, agentId: 'gardener' },
      { vaultId: other, agentId: 'cook' },
      { documentType: 'soul', vaultId, agentId: 'gardener' },
    ])
  })

  it('include no vault for operations across vaults and for replies', async () => {
    await using server = await startAnsweringServer(answering({}))
    const client = createClient({ url: server.url, key, vault: vaultId })
    await client.messages.pending()
    await client.messages.list()
    await client.vaults.create({ name: 'new' })
    await client.messages.send({ targetId: 'cook', content: 'Done.', parentMessageId: other })
    expect(bodiesOf(server).filter((body) => 'vaultId' in body)).toEqual([])
    expect(server.received).toHaveLength(4)
  })

  it('include a vault by its name, looked up once', async () => {
    await using server = await startAnsweringServer(listed, answering({}))
    const client = createClient({ url: server.url, key, vault: 'notes' })
    await client.tasks.list()
    await client.folders.list()
    expect(server.received.map(({ path }) => path?.split('/').at(-1))).toEqual([
      'list-vaults',
      'list-tasks',
      'list-folders',
    ])
    expect(bodiesOf(server).slice(1)).toEqual([{ vaultId: other }, { vaultId: other }])
    expect(await client.vaultIdOf(vaultId)).toBe(vaultId)
    expect(await client.vaultIdOf('notes')).toBe(other)
    expect(server.received).toHaveLength(3)
  })

  it('fail if no vault or several vaults have the name', async () => {
    await using server = await startAnsweringServer(listed)
    const client = createClient({ url: server.url, key, vault: 'App' })
    await expect(client.tasks.list()).rejects.toMatchObject({ name: 'NotFoundError', status: 404 })
    await expect(client.vaultIdOf('twice')).rejects.toThrow('Several vaults have the name "twice"')
  })

  it('include a new id for each write that accepts one', async () => {
    await using server = await startAnsweringServer(answering({}))
    const client = createClient({ url: server.url, key })
    await client.memories.write({ content: 'Tabs.' })
    await client.memories.write({ content: 'Tabs.' })
    await client.tasks.update({ taskId: vaultId, status: 'done' })
    const [first, second, third] = bodiesOf(server).map(({ externalWriteId }) => externalWriteId)
    expect(first).toMatch(uuid)
    expect(second).toMatch(uuid)
    expect(second).not.toBe(first)
    expect(third).toBeUndefined()
  })

  it('include no id if there are no retries, and never replace a given id', async () => {
    await using server = await startAnsweringServer(answering({}))
    const [once, often] = [0, 1].map((maxRetries) => createClient({ url: server.url, key, maxRetries }))
    await once?.memories.write({ content: 'Tabs.' })
    await often?.memories.write({ content: 'Tabs.' }, { maxRetries: 0 })
    await once?.memories.write({ content: 'Tabs.', externalWriteId: 'w1' })
    await once?.memories.write({ content: 'Tabs.' }, { maxRetries: 1 })
    expect(bodiesOf(server).map(({ externalWriteId }) => externalWriteId)).toEqual([
      undefined,
      undefined,
      'w1',
      expect.stringMatching(uuid),
    ])
  })
})

describe('a run', () => {
  it('gives all its calls one id, and ends', async () => {
    await using server = await startAnsweringServer(answering({}))
    const client = createClient({ url: server.url, key, vault: vaultId, agentRunId: 'outer' })
    const run = client.run()
    await run.memories.search({ query: 'tabs' })
    await run.end({ currentActivity: 'done' })
    await client.run('mine').info()
    await client.info()
    expect(run.id).toMatch(uuid)
    expect(client.run().id).not.toBe(run.id)
    expect(server.received.map(({ headers }) => headers['x-agent-run-id'])).toEqual([run.id, run.id, 'mine', 'outer'])
    expect(server.received[1]?.path).toBe('/api/agent/session-track')
    expect(JSON.parse(server.received[1]?.body ?? '')).toEqual({ event: 'end', currentActivity: 'done', vaultId })
  })
})

describe('tryContext', () => {
  it('returns no text and the reason if the server is down, after one attempt', async () => {
    await using server = await startAnsweringServer({ status: 503, body: { error: 'Temporarily unavailable: start' } })
    const { text, context, error } = await createClient({ url: server.url, key }).tryContext({ query: 'tabs' })
    expect([text, context]).toEqual(['', undefined])
    expect(error).toMatchObject({ name: 'UnavailableError', status: 503 })
    expect(server.received).toHaveLength(1)
  })

  it('respects its time limit', async () => {
    await using server = await startAnsweringServer('hang')
    const startedAt = performance.now()
    const { error } = await createClient({ url: server.url, key }).tryContext({}, { timeoutMs: 60 })
    expect(error).toMatchObject({ name: 'TimeoutError' })
    expect(performance.now() - startedAt).toBeLessThan(1000)
  })
})
