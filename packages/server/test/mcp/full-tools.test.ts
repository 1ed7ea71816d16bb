import { operationTools } from '@holdfast/mcp/generated/operation-tools'
import type { ToolCall } from '@holdfast/mcp/tool'
import { cleanUp } from '@holdfast/mcp/tools/cleanup'
import { beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../src/api/registry.ts'
import { useTestApp } from '../app.ts'
import { makeWorld, inputFor, type World } from '../sweep-world.ts'
import { connectHttp } from './connect.ts'

describe('the full toolset', () => {
  const test = useTestApp()
  let world: World
  let url: string

  beforeAll(async () => {
    url = await test().app.listen()
    world = await makeWorld(test())
  })

  const connectFull = (query = '?tools=full') => connectHttp({ url, key: world.key, query })

  it('lists a tool per operation for a key with all scopes', async () => {
    const { client } = await connectFull()
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(operationTools.map(({ name }) => name))
  })

  it.each(operationTools)('$name runs', async ({ name, operation }) => {
    const found = routes.find((known) => known.name === operation)
    if (found === undefined) throw new Error(`there is no operation ${operation}`)
    // A separate world, with the records that each example needs.
    const own = await makeWorld(test())
    const { say } = await connectHttp({ url, key: own.key, query: '?tools=full' })
    const text = await say(name, inputFor(found, own))
    expect(text).toMatch(/^vault: \S/)
    expect(text.length).toBeLessThanOrEqual(16_000)
  })

  it('accepts the forms of a field that its schema cannot express', async () => {
    const { say } = await connectFull()
    expect(await say('list_tasks', { status: 'todo' })).toContain('vault: Main')
    await say('write_memory', {
      content: 'The dog sleeps too.',
      relatedMemoryIds: [world.linkedMemoryId],
      metadata: { a: 1 },
    })
    await say('update_task', { taskId: world.taskId, assignedAgentId: null })
  })

  it('uses the named vault, by id or name', async () => {
    const { say, fail } = await connectFull()
    expect(await say('list_notes', { vaultId: 'Second' })).toContain('vault: Second')
    expect(await say('list_notes', { vaultId: world.secondVaultId })).toContain('vault: Second')
    expect(await fail('list_notes', { vaultId: 'Third' })).toBe(
      'NOT_FOUND: no vault has the name "Third". Vaults: "Main", "Second". Use one of these, or leave out vault.',
    )
  })

  it('archives in bulk only what a dry run has shown', async () => {
    const { say, fail } = await connectFull()
    const vaultId = 'Second'
    const filter = { vaultId, maxImportance: 3 }
    await say('write_memory', { content: 'The cat sleeps no more.', vaultId })
    const shown = await say('cleanup_memories', filter)
    const confirm = /confirm="([^"]+)"/.exec(shown)?.[1]
    expect(shown).toContain('would archive 2 memories')
    expect(await fail('cleanup_memories', { ...filter, dryRun: false })).toMatch(/^CONFIRM: this archives memories/)
    await say('write_memory', { content: 'The bird sings.', vaultId })
    expect(await fail('cleanup_memories', { ...filter, dryRun: false, confirm })).toMatch(
      /^CONFIRM: other memories match now/,
    )
    const again = /confirm="([^"]+)"/.exec(await say('cleanup_memories', filter))?.[1]
    expect(await say('cleanup_memories', { ...filter, dryRun: false, confirm: again })).toContain('archived 3 memories')
  })

  it('restores what starts to match between the preview and the archiving', async () => {
    const own = await makeWorld(test())
    const filter = { maxImportance: 1 }
    const write = async (content: string) =>
      (await test().call('write-memory', { content, importance: 1 }, { key: own.key })).body.memoryId as string
    const [meant, late]: string[] = [await write('The tide is low.')]
    let added = late
    const call = async (name: string, input: { dryRun?: boolean }) => {
      if (name === 'cleanup-memories' && input.dryRun === false) added = await write('The wind is up.')
      return (await test().call(name, input, { key: own.key })).body
    }
    const toolCall = { call } as unknown as ToolCall
    const { data } = await cleanUp(filter, toolCall)
    const { head } = await cleanUp({ ...filter, dryRun: false, confirm: data?.['confirm'] }, toolCall)
    expect(head).toEqual(['archived 1 memories', 'restored 1 that started to match in the meantime'])
    const { body } = await test().call('read-memories', { memoryIds: [meant, added] }, { key: own.key })
    expect((body.memories as { status: string }[]).map(({ status }) => status)).toEqual(['archived', 'active'])
  })

  it('adds JSON to the text on request', async () => {
    const { client } = await connectFull('?tools=full&structured=1')
    const answer = await client.callTool({ name: 'info', arguments: {} })
    expect(answer.structuredContent).toMatchObject({ integrationId: world.integrationId })
    const plain = await connectFull()
    expect(await plain.client.callTool({ name: 'info', arguments: {} })).not.toHaveProperty('structuredContent')
  })

  it('gives research clients the two tools that they expect', async () => {
    const { client, say } = await connectFull('?tools=chatgpt')
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['search', 'fetch'])
    const { results } = JSON.parse(await say('search', { query: 'sleeping cat' })) as { results: { id: string }[] }
    expect(results).toContainEqual(expect.objectContaining({ title: expect.any(String), url: expect.any(String) }))
    expect(JSON.parse(await say('fetch', { id: results[0]?.id }))).toMatchObject({
      id: results[0]?.id,
      text: expect.stringMatching(/^<(holdfast-recall-\w+)>\nThe cat sleeps\.\n<\/\1>$/),
    })
  })
})
