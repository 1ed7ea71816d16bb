import { describe, expect, it, onTestFinished } from 'vitest'
import { startAnsweringServer, type Answer } from '../test/answering-server.ts'
import { createClient } from './index.ts'

const key = 'svc_of_a_test'
const clientOf = (server: { url: string }) => createClient({ url: server.url, key, maxRetries: 0 })

const page = (offset: number, titles: string[], hasMore: boolean): Answer => ({
  status: 200,
  body: { tasks: titles.map((title) => ({ title })), total: 5, limit: 2, offset, hasMore },
})

describe('a call', () => {
  it('is sent once, whether or not you await it', async () => {
    await using server = await startAnsweringServer({ status: 200, body: { memories: [] } })
    const call = clientOf(server).memories.search({ query: 'tabs' })
    await expect.poll(() => server.received.length).toBe(1)
    expect(await Promise.all([call, call, call.withResponse()])).toHaveLength(3)
    expect(server.received).toHaveLength(1)
  })

  it('returns status, headers and request id with the answer', async () => {
    const headers = { 'X-Request-Id': 'r1', 'X-Service-Version': '1.2.3' }
    await using server = await startAnsweringServer({ status: 201, body: { memoryId: 'm1' }, headers })
    const answer = await clientOf(server).memories.write({ content: 'Tabs.' }).withResponse()
    expect(answer).toMatchObject({ data: { memoryId: 'm1' }, status: 201, requestId: 'r1' })
    expect(answer.headers.get('x-service-version')).toBe('1.2.3')
  })

  it('is a promise: then, catch and finally', async () => {
    await using server = await startAnsweringServer(
      { status: 200, body: { label: 'Laptop' } },
      { status: 404, body: { error: 'Route not found' } },
    )
    const steps: string[] = []
    const client = clientOf(server)
    expect(await client.info().then(({ label }) => label)).toBe('Laptop')
    const label = await client
      .info()
      .catch(({ message }: Error) => message)
      .finally(() => steps.push('finally'))
    expect([label, ...steps]).toEqual(['Route not found', 'finally'])
    expect(client.info().catch(() => {})).toBeInstanceOf(Promise)
  })

  it('has no unhandled rejection if its error is handled once', async () => {
    await using server = await startAnsweringServer({ status: 404, body: { error: 'Route not found' } })
    const alarms: unknown[] = []
    const note = (reason: unknown) => alarms.push(reason)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    await expect(clientOf(server).info()).rejects.toThrow('Route not found')
    await expect(clientOf(server).info().withResponse()).rejects.toThrow('Route not found')
    await expect(clientOf(server).tasks.list()).rejects.toThrow('Route not found')
    const items = async () => {
      for await (const task of clientOf(server).tasks.list()) throw new Error(`there is ${task.title}`)
    }
    await expect(items()).rejects.toThrow('Route not found')
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(alarms).toEqual([])
  })
})

describe('a paged call', () => {
  const pages = [page(0, ['a', 'b'], true), page(2, ['c', 'd'], true), page(4, ['e'], false)] as const

  it('is a promise of the first page', async () => {
    await using server = await startAnsweringServer(...pages)
    expect(await clientOf(server).tasks.list({ limit: 2 })).toMatchObject({ total: 5, offset: 0, hasMore: true })
    expect(server.received).toHaveLength(1)
  })

  it('iterates over the items of all pages under the same filter', async () => {
    await using server = await startAnsweringServer(...pages)
    const titles: string[] = []
    for await (const { title } of clientOf(server).tasks.list({ limit: 2, status: ['todo'] })) titles.push(title)
    expect(titles).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(server.received.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { limit: 2, status: ['todo'] },
      { limit: 2, status: ['todo'], offset: 2 },
      { limit: 2, status: ['todo'], offset: 4 },
    ])
  })

  it('starts at the given offset', async () => {
    await using server = await startAnsweringServer(pages[1], pages[2])
    const sizes: number[] = []
    for await (const { tasks } of clientOf(server).tasks.list({ limit: 2, offset: 2 }).pages()) sizes.push(tasks.length)
    expect(sizes).toEqual([2, 1])
    expect(server.received.map(({ body }) => (JSON.parse(body) as { offset: number }).offset)).toEqual([2, 4])
  })

  it('requests only the pages that are used', async () => {
    await using server = await startAnsweringServer(...pages)
    for await (const { title } of clientOf(server).tasks.list({ limit: 2 })) if (title === 'b') break
    expect(server.received).toHaveLength(1)
  })

  it('ends at an empty page, even if it claims to have more', async () => {
    await using server = await startAnsweringServer(page(0, [], true))
    for await (const task of clientOf(server).tasks.list()) throw new Error(`there is ${task.title}`)
    expect(server.received).toHaveLength(1)
  })

  it('rejects in the middle if a page fails', async () => {
    await using server = await startAnsweringServer(pages[0], { status: 500, body: { error: 'Internal server error' } })
    const titles: string[] = []
    const read = async () => {
      for await (const { title } of clientOf(server).tasks.list({ limit: 2 })) titles.push(title)
    }
    await expect(read()).rejects.toMatchObject({ name: 'ServerError' })
    expect(titles).toEqual(['a', 'b'])
  })
})
