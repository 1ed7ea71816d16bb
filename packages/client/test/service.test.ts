import { describe, expect, it } from 'vitest'
import { makeUser } from '../../server/test/factories.ts'
import { useService } from './service.ts'

/** Tests the client against a real server over HTTP, so both agree on the contracts. */
describe('the client with a running server', () => {
  const service = useService()

  it('writes, finds, reads, updates and archives a memory', async () => {
    const client = await service().makeClient({ agentRunId: 'run 7' })
    const { memoryId, created } = await client.memories.write({
      content: 'Tabs over spaces in Go.',
      entities: ['Go'],
    })
    expect(created).toBe(true)
    const { memories: hits } = await client.memories.search({ query: 'tabs or spaces?' })
    expect(hits.map((hit) => hit.memoryId)).toEqual([memoryId])
    expect(await client.memories.update({ memoryId, importance: 5 })).toMatchObject({ updated: true, version: 2 })
    await client.memories.archive({ memoryId, reason: 'outdated' })
    const { memories } = await client.memories.read({ memoryIds: [memoryId] })
    expect(memories).toMatchObject([{ content: 'Tabs over spaces in Go.', importance: 5, agentRunId: 'run 7' }])
    expect(memories[0]).toMatchObject({ status: 'archived', archiveReason: 'outdated' })
  })

  it('repeats a write with an externalWriteId without storing it twice', async () => {
    const client = await service().makeClient()
    const first = await client.memories.write({ content: 'Once.', externalWriteId: 'w1' })
    const second = await client.memories.write({ content: 'Once.', externalWriteId: 'w1' })
    expect(second).toMatchObject({ memoryId: first.memoryId, created: false, idempotent: true })
  })

  it('stores a write once if the first answer is lost', async () => {
    const { makeKey, makeClient, url } = service()
    const key = await makeKey()
    let sent = 0
    const losing: typeof fetch = async (...request) => {
      const response = await fetch(...request)
      if (sent++ === 0) throw new TypeError('the connection was cut')
      return response
    }
    const written = await (await makeClient({ url, key, fetch: losing })).memories.write({ content: 'Only once.' })
    expect(written).toMatchObject({ created: false, idempotent: true })
    const { memories } = await (await makeClient({ url, key })).memories.search({ query: 'only once' })
    expect(memories.map(({ memoryId }) => memoryId)).toEqual([written.memoryId])
    expect(sent).toBe(2)
  })

  it('pages through all tasks', async () => {
    const client = await service().makeClient()
    const titles = Array.from({ length: 7 }, (_, number) => `Task ${number}`)
    for (const title of titles) await client.tasks.create({ title })
    const seen: string[] = []
    for await (const { title } of client.tasks.list({ limit: 3 })) seen.push(title)
    expect(seen.toSorted()).toEqual(titles)
    expect(await client.tasks.list({ limit: 3 })).toMatchObject({ total: 7, hasMore: true })
  })

  it('works in a vault by its name', async () => {
    const { test, makeClient } = service()
    const user = await makeUser(test)
    const client = await makeClient({}, user)
    const { vaultId } = await client.vaults.create({ name: 'Garden' })
    const inGarden = await makeClient({ vault: 'Garden' }, user)
    await inGarden.notes.create({ title: 'Beds' })
    expect((await client.notes.list()).notes).toEqual([])
    expect((await client.notes.list({ vaultId })).notes).toMatchObject([{ title: 'Beds', vaultId }])
    expect(await inGarden.documents.read({ documentType: 'soul' })).toMatchObject({ documentType: 'soul' })
    await expect(client.documents.read({ documentType: 'soul' })).rejects.toMatchObject({ name: 'BadRequestError' })
    const stranger = await makeClient({ vault: 'Garden' })
    await expect(stranger.notes.list()).rejects.toMatchObject({ name: 'NotFoundError' })
  })

  it('shows its runs to others until they end', async () => {
    const client = await service().makeClient({ agentId: 'gardener' })
    const run = client.run()
    const { agentRunId } = await run.session.start()
    expect(agentRunId).toBe(run.id)
    await run.end()
    const { agents } = await client.session.activeAgents()
    expect(agents).toMatchObject([{ agentId: 'gardener', agentRunId: run.id, endedAt: expect.any(String) as string }])
  })

  it('returns who it is and which vaults it has', async () => {
    const client = await service().makeClient()
    const { vaultId } = await client.info()
    const { vaults, total } = await client.vaults.list({ limit: 1 })
    expect(total).toBe(1)
    expect(vaults[0]).toMatchObject({ vaultId, isDefault: true })
  })

  it('reports each invalid field', async () => {
    const client = await service().makeClient()
    await expect(client.memories.write({ content: '', importance: 9 })).rejects.toMatchObject({
      name: 'BadRequestError',
      status: 400,
      fields: { content: expect.any(String) as string, importance: expect.any(String) as string },
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    })
  })
})
