import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp, type App } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config.ts'
import { createClient, type Client } from '../src/index.ts'

/** The client against the service itself, over HTTP: that both understand the contracts alike. */
describe('the client of a running service', () => {
  let app: App
  let client: Client
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-client-'))

  beforeAll(async () => {
    app = await createApp(
      readConfig({
        HOLDFAST_PORT: '0',
        HOLDFAST_DATA_DIR: join(folder, 'data'),
        HOLDFAST_KEY_DIR: join(folder, 'keys'),
        HOLDFAST_LOG_LEVEL: 'silent',
      }),
    )
    const url = await app.listen()
    client = createClient({ url, key: await setUp(url, app.operatorToken.token), agentRunId: 'run 7' })
  })

  afterAll(async () => {
    await app.stop()
    rmSync(folder, { recursive: true })
  })

  it('writes, finds, reads, changes and archives a memory', async () => {
    const { memoryId, created } = await client.memories.write({ content: 'Tabs over spaces in Go.', entities: ['Go'] })
    expect(created).toBe(true)
    const { memories: hits } = await client.memories.search({ query: 'tabs or spaces?' })
    expect(hits.map((hit) => hit.memoryId)).toEqual([memoryId])
    expect(await client.memories.update({ memoryId, importance: 5 })).toMatchObject({ updated: true, version: 2 })
    await client.memories.archive({ memoryId, reason: 'outdated' })
    const { memories } = await client.memories.read({ memoryIds: [memoryId] })
    expect(memories).toMatchObject([{ content: 'Tabs over spaces in Go.', importance: 5, agentRunId: 'run 7' }])
    expect(memories[0]).toMatchObject({ status: 'archived', archiveReason: 'outdated' })
  })

  it('repeats a write with an externalWriteId without a second memory', async () => {
    const first = await client.memories.write({ content: 'Once.', externalWriteId: 'w1' })
    const second = await client.memories.write({ content: 'Once.', externalWriteId: 'w1' })
    expect(second).toMatchObject({ memoryId: first.memoryId, created: false, idempotent: true })
  })

  it('knows who it is and which vaults it has', async () => {
    const { vaultId } = await client.info()
    const { vaults, total } = await client.vaults.list({ limit: 1 })
    expect(total).toBe(1)
    expect(vaults[0]).toMatchObject({ vaultId, isDefault: true })
  })

  it('hands on each wrong field', async () => {
    await expect(client.memories.write({ content: '', importance: 9 })).rejects.toMatchObject({
      name: 'BadRequestError',
      status: 400,
      fields: { content: expect.any(String) as string, importance: expect.any(String) as string },
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    })
  })
})

async function setUp(url: string, operatorToken: string): Promise<string> {
  const answer = await fetch(new URL('/api/operator/setup', url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.org', password: 'a long and private sentence' }),
  })
  const { agentKey } = (await answer.json()) as { agentKey: string }
  return agentKey
}
