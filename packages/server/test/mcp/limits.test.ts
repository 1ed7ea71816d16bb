import { describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../app.ts'
import { makeUserWithAgent } from '../factories.ts'
import { connectHttp } from './connect.ts'
import { send } from './raw-request.ts'

const limited = (read: number, write = 0) =>
  startTestApp({ config: { rateLimits: { read, write, search: 0, ingest: 0 } }, now: () => 1_700_000_000_000 })

const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
const call = (name: string, args: object = {}) => message('tools/call', { name, arguments: args })
const listTasks = call('list_tasks')
const completion = (prompt: string, argument: string) =>
  message('completion/complete', {
    ref: { type: 'ref/prompt', name: prompt },
    argument: { name: argument, value: '' },
  })

/** How many of these requests, one after the other, are accepted, and the error of the next one. */
async function countLetIn(test: TestApp, key: string, body: object): Promise<{ letIn: number; refusal: string }> {
  for (let letIn = 0; letIn < 50; letIn++) {
    const { status, text } = await send(test, { key, body })
    if (status === 429 || /Too many requests|RATE_LIMITED/.test(text)) return { letIn, refusal: text }
  }
  return { letIn: 50, refusal: '' }
}

describe('the limits', () => {
  it('apply to tools like to every other request', async () => {
    const test = await limited(0, 1)
    const { key } = await makeUserWithAgent(test)
    const { say, fail } = await connectHttp({ url: await test.app.listen(), key })
    await say('write_memory', { content: 'One.' })
    expect(await fail('write_memory', { content: 'Two.' })).toMatch(
      /^RATE_LIMITED: too many requests\. Wait \d+ seconds/,
    )
  })

  it.each([
    message('tools/list'),
    message('prompts/list'),
    message('resources/templates/list'),
    message('ping'),
    { jsonrpc: '2.0', method: 'notifications/initialized', params: {} },
    message('no/such/method'),
    call('no_such_tool'),
    call('list_tasks', { status: 7 }),
    message('tools/call'),
    message('prompts/get', { name: 'nothing' }),
    message('resources/read', { uri: 'holdfast://nothing' }),
    message('completion/complete'),
    completion('recall', 'nothing'),
    message('tools/call', { name: 'list_tasks', _meta: { progressToken: {} } }),
    message('tools/call', { name: 'list_tasks', task: 5 }),
    message('prompts/get', { name: 'recall', arguments: { topic: 7 } }),
    message('resources/list', { cursor: 7 }),
    message('resources/read', { uri: 'holdfast://inbox', more: 1, _meta: 7 }),
  ])('count a request without an operation as a read: %j', async (body) => {
    const test = await limited(12)
    const { key } = await makeUserWithAgent(test)
    // So that the vaults are known, which also counts as a read.
    await send(test, { key, body: listTasks })
    const { letIn, refusal } = await countLetIn(test, key, body)
    // The first call asked for info, for the vaults and for the tasks.
    expect(letIn).toBe(9)
    expect(refusal).toMatch(/"message":"Too many requests"|RATE_LIMITED: too many requests. Wait 61 seconds/)
  })

  it('count what the protocol rejects because of its headers, and refuse it from then on', async () => {
    const test = await limited(2)
    const { key } = await makeUserWithAgent(test)
    const rejected = { key, body: listTasks, headers: { 'mcp-protocol-version': '1999-01-01' } }
    expect((await send(test, rejected)).status).toBe(400)
    expect((await send(test, rejected)).status).toBe(400)
    expect((await send(test, rejected)).status).toBe(429)
    const metrics = await test.app.server.inject({ method: 'GET', url: '/metrics' })
    expect(metrics.payload).toContain('holdfast_refusals_total{reason="rate_limit"} 1')
  })

  it('say when to try again', async () => {
    const test = await limited(1)
    const { key } = await makeUserWithAgent(test)
    await send(test, { key })
    expect(await send(test, { key })).toMatchObject({ status: 429, headers: { 'retry-after': '61' } })
  })

  it('count a call of a tool once', async () => {
    const test = await limited(12)
    const { key } = await makeUserWithAgent(test)
    await send(test, { key, body: listTasks })
    expect(await countLetIn(test, key, listTasks)).toMatchObject({
      letIn: 9,
      refusal: expect.stringContaining('RATE_LIMITED'),
    })
  })

  it('count a completion as the operations that it calls', async () => {
    const test = await limited(12)
    const { key } = await makeUserWithAgent(test)
    await send(test, { key, body: listTasks })
    expect((await send(test, { key, body: completion('handoff', 'agent') })).text).toContain('"values":[')
    expect((await countLetIn(test, key, message('ping'))).letIn).toBe(8)
  })

  it('of reading do not affect writing', async () => {
    const test = await limited(4)
    const { key } = await makeUserWithAgent(test)
    await send(test, { key, body: listTasks })
    await countLetIn(test, key, message('ping'))
    const write = await send(test, { key, body: call('write_memory', { content: 'Still written.' }) })
    expect(write.text).toContain('vault: Main')
  })
})

it('cannot be bypassed by a batch', async () => {
  const test = await limited(0)
  const { key } = await makeUserWithAgent(test)
  expect(await send(test, { key, body: [message('tools/list'), message('tools/list')] })).toMatchObject({
    status: 400,
    text: expect.stringContaining('batches are not supported'),
  })
})
