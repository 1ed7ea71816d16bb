import type { Client } from '@modelcontextprotocol/client'
import { describe, expect, it, vi } from 'vitest'
import { useTestApp } from '../app.ts'
import { eachDialect } from '../dialects.ts'
import { makeAgent, makeAgentKey, makeIntegration, makeUser, makeUserWithAgent, makeVault } from '../factories.ts'
import { connectHttp, idIn } from './connect.ts'

/** News is sent at most once a second. */
const patience = { timeout: 10_000, interval: 10 }

/** Everything that the client is told, as it was sent. */
function notificationsOf(client: Client): { uri: string | undefined; params: unknown }[] {
  const told: { uri: string | undefined; params: unknown }[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    told.push({ uri: params.uri, params })
  })
  client.setNotificationHandler('notifications/resources/list_changed', ({ params }) => {
    told.push({ uri: undefined, params })
  })
  return told
}

eachDialect('notifications about resources', (dialect) => {
  const test = useTestApp({ dialect })
  let address: Promise<string> | undefined
  const url = () => (address ??= test().app.listen())

  it('tell an agent which of the resources that it named have changed, and nothing else', async () => {
    const user = await makeUserWithAgent(test())
    const stranger = await makeUserWithAgent(test())
    const { client, say } = await connectHttp({ url: await url(), key: user.key })
    const other = await connectHttp({ url: await url(), key: stranger.key })
    const note = async (title: string) => `holdfast://note/${idIn(await say('save_note', { title }), 'n').slice(2)}`
    const [changed, unchanged] = [await note('Herons'), await note('Owls')]
    const told = notificationsOf(client)
    const toldOther = notificationsOf(other.client)
    const [tasks, inbox] = [`holdfast://tasks/${user.vaultId}`, 'holdfast://inbox']
    const resourceSubscriptions = [changed, unchanged, tasks, inbox, 'holdfast://context/main']
    const { honoredFilter } = await client.listen({ resourceSubscriptions, resourcesListChanged: true })
    expect(honoredFilter).toEqual({ resourceSubscriptions, resourcesListChanged: true })
    await other.client.listen({ resourceSubscriptions: [inbox], resourcesListChanged: true })

    const sender = await makeAgent(test(), user, { agentId: 'sender' })
    const message = { targetId: 'Test agent', content: 'A secret heron.' }
    await say('save_note', { id: changed.split('/').at(-1), content: 'A secret heron.' })
    await say('save_task', { title: 'Feed the secret heron' })
    await test().call('send-message', message, { key: sender })
    const all = new Set([changed, undefined, tasks, inbox, 'holdfast://context/main'])
    await vi.waitFor(() => expect(new Set(told.map(({ uri }) => uri))).toEqual(all), patience)
    const before = told.length
    await test().call('send-message', { ...message, targetId: 'somebody else' }, { key: sender })
    await say('save_task', { title: 'Feed the owl' })
    await vi.waitFor(() => expect(told.slice(before).map(({ uri }) => uri)).toContain(tasks), patience)
    expect(told.slice(before).map(({ uri }) => uri)).not.toContain(inbox)
    expect(JSON.stringify(told)).not.toContain('heron')
    expect(toldOther).toEqual([])
  })
})

describe('subscriptions to resources', () => {
  const test = useTestApp()
  let address: Promise<string> | undefined
  const url = () => (address ??= test().app.listen())

  it('are acknowledged only for what exists and the key may read, in the same way for others’ resources and missing ones', async () => {
    const user = await makeUser(test())
    const stranger = await makeUserWithAgent(test())
    const second = await makeVault(test(), user)
    const theirs = await connectHttp({ url: await url(), key: stranger.key })
    const memory = idIn(await theirs.say('write_memory', { content: 'The safe is open.' }), 'm').slice(2)
    const key = await makeAgent(test(), user, { restrictToVault: true, vaults: [{ vaultId: user.vaultId }] })
    const { client } = await connectHttp({ url: await url(), key })
    const own = `holdfast://document/${user.vaultId}/soul`
    const { honoredFilter } = await client.listen({
      toolsListChanged: true,
      resourceSubscriptions: [
        own,
        `holdfast://tasks/${second}`,
        `holdfast://tasks/${stranger.vaultId}`,
        'holdfast://tasks/0198c5f0-0000-7000-8000-000000000001',
        `holdfast://memory/${memory}`,
        'holdfast://memory/0198c5f0-0000-7000-8000-000000000001',
        `holdfast://document/${user.vaultId}/other`,
        'https://example.org',
      ],
    })
    expect(honoredFilter).toEqual({ resourceSubscriptions: [own] })
    const nothing = await client.listen({ resourceSubscriptions: [`holdfast://tasks/${stranger.vaultId}`] })
    expect(nothing.honoredFilter).toEqual({})
    expect(await nothing.closed).toBe('graceful')
  })

  it('end when the key is revoked, or may no longer read one of the resources', async () => {
    const user = await makeUser(test())
    const vaults = [{ vaultId: user.vaultId }, { vaultId: await makeVault(test(), user) }]
    const id = await makeIntegration(test(), user, { restrictToVault: true, vaults })
    const asPerson = { key: user.dashboardToken }
    const listen = async (...resourceSubscriptions: string[]) => {
      const { client } = await connectHttp({ url: await url(), key: await makeAgentKey(test(), user, id) })
      return client.listen({ resourceSubscriptions })
    }
    const revoked = await listen('holdfast://inbox')
    const { keys } = (await test().call('list-keys', {}, asPerson)).body as { keys: { id: string }[] }
    const narrowed = await listen(...vaults.map(({ vaultId }) => `holdfast://tasks/${vaultId}`))
    const untouched = await listen(`holdfast://tasks/${user.vaultId}`)
    expect(await test().call('revoke-key', { id: keys[0]?.id }, asPerson)).toMatchObject({ status: 200 })
    expect(await revoked.closed).toBe('graceful')
    const patch = { id, vaults: vaults.slice(0, 1) }
    expect(await test().call('update-integration', patch, asPerson)).toMatchObject({ status: 200 })
    expect(await narrowed.closed).toBe('graceful')
    expect(await Promise.race([untouched.closed, Promise.resolve('open')])).toBe('open')
  })

  it('are limited in number, per stream and per person', async () => {
    const user = await makeUserWithAgent(test())
    const { client } = await connectHttp({ url: await url(), key: user.key })
    const uris = Array.from({ length: 101 }, (_, index) => `holdfast://tasks/${index}`)
    await expect(client.listen({ resourceSubscriptions: uris })).rejects.toThrow('at most 100 resources')
    const inbox = { resourceSubscriptions: ['holdfast://inbox'] }
    const open = []
    for (let count = 0; count < 16; count++) open.push(await client.listen(inbox))
    await expect(client.listen(inbox)).rejects.toThrow('Too many requests')
    const metrics = await (await fetch(`${await url()}/metrics`)).text()
    expect(metrics).toContain('holdfast_requests_total{operation="mcp",status="429"} 1')
    await open[0]?.close()
    await vi.waitFor(async () => expect((await client.listen(inbox)).honoredFilter).toEqual(inbox), patience)
  })
})
