import { describe, expect, expectTypeOf, it } from 'vitest'
import { startAnsweringServer } from '../test/answering-server.ts'
import { createClient, HoldfastError, type Client, type Memory } from './index.ts'

const key = 'svc_of_a_test'

describe('createClient', () => {
  it('posts the input to the route of the operation and resolves with the answer', async () => {
    const written = { memoryId: 'm1', created: true }
    await using server = await startAnsweringServer({ status: 201, body: written })
    const client = createClient({ url: server.url, key })

    expect(await client.writeMemory({ content: 'Tabs.', summary: undefined })).toEqual(written)
    expect(server.received).toHaveLength(1)
    expect(server.received[0]).toMatchObject({
      method: 'POST',
      path: '/api/agent/write-memory',
      body: '{"content":"Tabs."}',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
    expect(server.received[0]?.headers).not.toHaveProperty('x-agent-run-id')
  })

  it('asks for info with a GET and no body', async () => {
    await using server = await startAnsweringServer({ status: 200, body: { label: 'Laptop' } })
    expect(await createClient({ url: server.url, key }).info()).toEqual({ label: 'Laptop' })
    expect(server.received[0]).toMatchObject({ method: 'GET', path: '/api/agent/info', body: '' })
  })

  it('sends the run id with every call', async () => {
    await using server = await startAnsweringServer({ status: 200, body: {} })
    const client = createClient({ url: server.url, key, agentRunId: 'run 7' })
    await client.listVaults()
    await client.info()
    expect(server.received.map(({ headers }) => headers['x-agent-run-id'])).toEqual(['run 7', 'run 7'])
  })

  it('keeps a path in front of the API', async () => {
    await using server = await startAnsweringServer({ status: 200, body: {} })
    await createClient({ url: `${server.url}/memory`, key }).info()
    await createClient({ url: `${server.url}/memory/`, key }).info()
    expect(server.received.map(({ path }) => path)).toEqual(['/memory/api/agent/info', '/memory/api/agent/info'])
  })

  it('calls the given fetch', async () => {
    const client = createClient({ url: 'http://nowhere.invalid', key, fetch: async () => Response.json({ total: 3 }) })
    expect(await client.listVaults()).toEqual({ total: 3 })
  })

  it('refuses options that cannot work, without telling the key', () => {
    expect(() => createClient({ url: 'nowhere', key })).toThrow(TypeError)
    expect(() => createClient({ url: 'http://nowhere.invalid', key: '' })).toThrow(TypeError)
    const broken = () => createClient({ url: 'http://nowhere.invalid', key: `${key}\nX-Other: 1` })
    expect(broken).toThrow('key: must be printable ASCII')
    expect(broken).not.toThrow(key)
  })

  it('is typed by the contracts: required fields, defaults that may be left out, answers', () => {
    type Write = Parameters<Client['writeMemory']>[0]
    expectTypeOf<Write['content']>().toEqualTypeOf<string>()
    expectTypeOf<{ content: string }>().toExtend<Write>()
    expectTypeOf<{ summary: string }>().not.toExtend<Write>()
    expectTypeOf<{ content: string; memoryType: 'wish' }>().not.toExtend<Write>()
    expectTypeOf<[]>().toExtend<Parameters<Client['listVaults']>>()
    expectTypeOf<[]>().not.toExtend<Parameters<Client['searchMemories']>>()
    expectTypeOf<Awaited<ReturnType<Client['readMemories']>>['memories']>().toEqualTypeOf<Memory[]>()
    expectTypeOf<Memory['supersededById']>().toEqualTypeOf<string | null>()
    expectTypeOf(new HoldfastError('', { status: 400 }).fields).toEqualTypeOf<
      Readonly<Record<string, string>> | undefined
    >()
  })
})
