import { describe, expect, it } from 'vitest'
import { useTestApp } from '../app.ts'
import { makeAgent, makeIntegration, makeUser, makeUserWithAgent, makeVault } from '../factories.ts'
import { allowed, exchange, refresh } from '../oauth-client.ts'
import { connectHttp, idIn, type Era } from './connect.ts'

/** Which run a call belongs to, who it comes from, and which vault it uses, if the call itself says nothing. */

let now = Date.parse('2026-11-21T09:00:00Z')
const test = useTestApp({ now: () => now })
let address: Promise<string> | undefined
const listen = () => (address ??= test().app.listen())

/** Run and agent of a memory, as the service stores them. */
async function originOf(key: string, written: string): Promise<{ run: unknown; agent: unknown }> {
  const memoryIds = [idIn(written, 'm').slice(2)]
  const { body } = await test().call('read-memories', { memoryIds }, { key })
  const [memory] = body.memories as { agentRunId: unknown; agentId: unknown }[]
  return { run: memory?.agentRunId, agent: memory?.agentId }
}

const write = { content: 'The lamp is blue.' }

describe.each(['2025', '2026'] satisfies Era[])('over HTTP in the era of %s', (era) => {
  it('calls close together are one run, marked as inferred', async () => {
    const { key } = await makeUserWithAgent(test())
    const { say } = await connectHttp({ url: await listen(), key, era })
    const first = await originOf(key, await say('write_memory', write))
    expect(first.run).toMatch(/^inferred-[0-9a-f-]{36}$/)
    now += 29 * 60_000
    expect((await originOf(key, await say('write_memory', { content: 'The door is green.' }))).run).toBe(first.run)
    now += 31 * 60_000
    const later = await originOf(key, await say('write_memory', { content: 'The wall is white.' }))
    expect(later.run).toMatch(/^inferred-/)
    expect(later.run).not.toBe(first.run)
  })

  it('a program that refreshes its access token stays in its run', async () => {
    const user = await makeUser(test())
    const made = await allowed(test(), user, await makeIntegration(test(), user))
    const { body: tokens } = await exchange(test(), made)
    const reader = await makeAgent(test(), user)
    const url = await listen()
    const writtenWith = async (token: unknown, content: string) => {
      const { say } = await connectHttp({ url, key: String(token), era })
      return originOf(reader, await say('write_memory', { content }))
    }
    const first = await writtenWith(tokens['access_token'], 'The lamp is blue.')
    const { body: later } = await refresh(test(), made, tokens['refresh_token'])
    expect((await writtenWith(later['access_token'], 'The door is green.')).run).toBe(first.run)
  })

  it('a started session is the run of the following calls, until another one starts', async () => {
    const { key } = await makeUserWithAgent(test())
    const { say } = await connectHttp({ url: await listen(), key, era })
    const runOf = (text: string) => /run: (\S+)/.exec(text)?.[1]
    const run = runOf(await say('session_start', { mode: 'none' }))
    expect((await originOf(key, await say('write_memory', write))).run).toBe(run)
    const next = runOf(await say('session_start', { mode: 'none' }))
    expect(next).not.toBe(run)
    expect((await originOf(key, await say('write_memory', { content: 'The door is green.' }))).run).toBe(next)
  })

  it('a run named by a call or a header has priority', async () => {
    const { key } = await makeUserWithAgent(test())
    const { say } = await connectHttp({ url: await listen(), key, era, headers: { 'X-Agent-Run-Id': 'hook-7' } })
    expect(await say('session_start', { mode: 'none' })).toContain('run: hook-7')
    expect((await originOf(key, await say('write_memory', write))).run).toBe('hook-7')
    const named = await say('write_memory', { content: 'The door is green.', run: 'mine' })
    expect((await originOf(key, named)).run).toBe('mine')
  })

  it('an agent has the name of its integration, whatever its clients call themselves', async () => {
    const user = await makeUser(test())
    const url = await listen()
    const named = await makeAgent(test(), user, { agentId: 'reviewer', label: 'Laptop' })
    const labelled = await makeAgent(test(), user, { label: 'Desk' })
    const who = async (key: string, name: string) => {
      const { say } = await connectHttp({ url, key, era, name })
      return (await originOf(key, await say('write_memory', { content: `Of ${key} and ${name}.` }))).agent
    }
    expect(await who(named, 'claude-code')).toBe('reviewer')
    for (const name of ['claude-code', 'goose', '*']) expect(await who(labelled, name)).toBe('Desk')
  })

  it('two clients with one key are two runs', async () => {
    const { key } = await makeUserWithAgent(test())
    const url = await listen()
    const runs = await Promise.all(
      ['editor', 'terminal'].map(async (name) => {
        const { say } = await connectHttp({ url, key, era, name, headers: { 'user-agent': name } })
        return (await originOf(key, await say('write_memory', { content: `The ${name} is open.` }))).run
      }),
    )
    expect(new Set(runs).size).toBe(2)
  })
})

describe('the vault of a call', () => {
  it('is reported at the first write of a run that did not name one', async () => {
    const user = await makeUserWithAgent(test())
    await makeVault(test(), user, 'App')
    const { say } = await connectHttp({ url: await listen(), key: user.key })
    expect(await say('list_tasks')).not.toContain('note:')
    const remark = 'note: no vault was named, so this went to the default vault. To use another, pass vault: App.'
    expect(await say('write_memory', write)).toContain(remark)
    expect(await say('write_memory', { content: 'The door is green.' })).not.toContain('note:')
    expect(await say('write_memory', { content: 'The wall is white.', run: 'other' })).toContain(remark)
    const named = await connectHttp({ url: await listen(), key: user.key, query: '?vault=Main' })
    expect(await named.say('write_memory', { content: 'The roof is red.', run: 'third' })).not.toContain('note:')
  })

  it('is the one that the call names, else the URL or a header, else the default; by name or id', async () => {
    const user = await makeUserWithAgent(test())
    const app = await makeVault(test(), user, 'App')
    const url = await listen()
    const vaultOf = (text: string) => text.split('\n')[0]
    const byUrl = await connectHttp({ url, key: user.key, query: '?vault=app' })
    expect(vaultOf(await byUrl.say('list_tasks'))).toBe('vault: App')
    expect(vaultOf(await byUrl.say('list_tasks', { vault: user.vaultId }))).toBe('vault: Main')
    expect(vaultOf(await byUrl.say('list_tasks', { vaultId: 'Main' }))).toBe('vault: Main')
    const byHeader = await connectHttp({ url, key: user.key, headers: { 'X-Vault-Id': app } })
    expect(vaultOf(await byHeader.say('list_tasks'))).toBe('vault: App')
    const none = await makeAgent(test(), user, { primaryVaultId: null })
    const lost = await connectHttp({ url, key: none })
    expect(await lost.fail('list_tasks')).toMatch(/^VALIDATION: vault: required/)
    const wrong = await connectHttp({ url, key: user.key, query: '?vault=Ap' })
    expect(await wrong.fail('list_tasks')).toMatch(/^NOT_FOUND: no vault has the name "Ap"\. Vaults: "Main", "App"/)
  })

  it('can be one that was just created, and never one that had the name before', async () => {
    const user = await makeUser(test())
    const key = await makeAgent(test(), user)
    const app = await makeVault(test(), user, 'App')
    const { say } = await connectHttp({ url: await listen(), key })
    await say('create_vault', { name: 'Fresh' })
    expect(await say('write_memory', { content: 'In the fresh one.', vault: 'Fresh' })).toMatch(/^vault: Fresh\n/)
    await makeVault(test(), user, 'Elsewhere made')
    expect(await say('list_tasks', { vault: 'Elsewhere made' })).toMatch(/^vault: "Elsewhere made"\n/)
    const renamed = await test().app.server.inject({
      method: 'PATCH',
      url: '/api/vaults',
      headers: { authorization: `Bearer ${user.dashboardToken}` },
      payload: { id: app, name: 'Old app' },
    })
    expect(renamed.statusCode).toBe(200)
    const next = await makeVault(test(), user, 'App')
    const id = idIn(await say('write_memory', { content: 'In the new app.', vault: 'App' }), 'm').slice(2)
    const { body } = await test().call('read-memories', { memoryIds: [id], vaultId: next }, { key })
    expect(body.memories).toHaveLength(1)
  })

  it('of a reply is the one of its message, and an inbox covers all vaults', async () => {
    const user = await makeUser(test())
    const app = await makeVault(test(), user, 'App')
    const url = await listen()
    const [ada, bob] = [
      await connectHttp({ url, key: await makeAgent(test(), user, { agentId: 'ada' }) }),
      await connectHttp({ url, key: await makeAgent(test(), user, { agentId: 'bob' }) }),
    ]
    await ada.say('send_message', { targetId: 'bob', content: 'In the app.', vault: app })
    await ada.say('send_message', { targetId: 'bob', content: 'In the main vault.' })
    const inbox = await bob.say('read_messages')
    expect(inbox).toContain('vault: all\n2 messages (pending)')
    const id = /id="(msg:[0-9a-f-]+)"[^>]*vault="App"/.exec(inbox)?.[1]
    expect(await bob.say('read_messages', { vault: 'App' })).toMatch(/^vault: App\n1 message /)
    await bob.say('send_message', { targetId: 'ada', content: 'Seen.', parentMessageId: id })
    expect(await ada.say('read_messages')).toMatch(/vault="App" thread=/)
    expect(await bob.say('send_message', { targetId: 'ada', content: 'Again.', parentMessageId: id })).toMatch(
      /^vault: App\nsent: /,
    )
  })
})
