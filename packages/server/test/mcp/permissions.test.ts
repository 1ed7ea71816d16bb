import { describe, expect, it } from 'vitest'
import { useTestApp } from '../app.ts'
import { makeAgent, makeUser, makeUserWithAgent, makeVault } from '../factories.ts'
import { connectHttp, idIn } from './connect.ts'

describe('the permissions of a key', () => {
  const test = useTestApp()
  let address: Promise<string> | undefined
  const listen = () => (address ??= test().app.listen())

  it('decide which tools are listed; unlisted ones that are called by name are rejected', async () => {
    const user = await makeUser(test())
    const key = await makeAgent(test(), user, { preset: 'read_only' })
    const { client, fail } = await connectHttp({ url: await listen(), key, query: '?tools=core,admin,notes' })
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(8)
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([])
    expect(await fail('write_memory', { content: 'Not allowed.' })).toMatch(/^SCOPE_DENIED: this key lacks 'write'/)
  })

  it('are checked in every vault: the preset of one vault counts if the integration has less', async () => {
    const user = await makeUser(test())
    const second = await makeVault(test(), user)
    const vaults = [{ vaultId: second, preset: 'read_write' as const }]
    const key = await makeAgent(test(), user, { preset: 'read_only', vaults })
    const { client, say, fail } = await connectHttp({ url: await listen(), key })
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('write_memory')
    expect(await fail('write_memory', { content: 'In the main vault.' })).toContain('SCOPE_DENIED')
    expect(await say('write_memory', { content: 'In the second vault.', vault: 'Second' })).toContain('vault: Second')
  })

  it('end at the vaults of its own person', async () => {
    const [mine, theirs] = [await makeUserWithAgent(test()), await makeUserWithAgent(test())]
    const url = await listen()
    const other = await connectHttp({ url, key: theirs.key })
    const id = idIn(await other.say('write_memory', { content: 'The code of the safe is in the drawer.' }), 'm')
    const own = await connectHttp({ url, key: mine.key })
    expect(await own.say('read_items', { ids: [id] })).toContain('not found in this vault')
    expect(await own.fail('read_items', { ids: [id], vault: theirs.vaultId })).toMatch(/^NOT_FOUND: Vault not found/)
    expect(await own.say('search_memories', { query: 'safe drawer' })).toContain('nothing found')
    await expect(own.client.readResource({ uri: `holdfast://context/${theirs.vaultId}` })).rejects.toThrow('not found')
    await expect(own.client.readResource({ uri: `holdfast://memory/${id.slice(2)}` })).rejects.toThrow('not found')
    const confined = await makeAgent(test(), mine, { restrictToVault: true, vaults: [{ vaultId: mine.vaultId }] })
    const second = await makeVault(test(), mine, 'Hidden')
    const narrow = await connectHttp({ url, key: confined })
    expect(await narrow.fail('list_tasks', { vault: second })).toBe(
      'SCOPE_DENIED: this key has no access to that vault. Allowed: "Main".',
    )
  })

  it('are reduced further by a read-only connection', async () => {
    const { key } = await makeUserWithAgent(test())
    const { client, fail } = await connectHttp({ url: await listen(), key, query: '?readonly=1' })
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('save_task')
    expect(await fail('save_task', { title: 'Try' })).toMatch(/^READ_ONLY/)
  })
})
