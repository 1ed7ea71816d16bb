import { contextText, type SessionStartOutput } from '@holdfast/client'
import { expect, it } from 'vitest'
import { useTestApp } from './app.ts'
import { eachDialect } from './dialects.ts'
import { makeAgentKey, makeUser, type TestUser } from './factories.ts'
import { connectHttp } from './mcp/connect.ts'
import { makeClock } from './scenarios.ts'

/** What an agent can do under the name of another agent of the same person: nothing that the person didn't allow, and nothing unseen. */

type Body = Record<string, unknown>

eachDialect('agents of one person', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  let address: Promise<string> | undefined
  const listen = () => (address ??= test().app.listen())

  const asPerson = (user: TestUser, name: string, body: object) => test().call(name, body, { key: user.dashboardToken })

  /** Created as the dashboard does it: an integration with an agentId is pinned to it. */
  const connect = async (user: TestUser, fields: Body) => {
    const { body } = await asPerson(user, 'create-integration', { label: 'Desk', preset: 'read_write', ...fields })
    const integration = body.integration as { id: string; agentIds: string; actsAs: string[] }
    const key = await makeAgentKey(test(), user, integration.id)
    return { ...integration, key, call: (name: string, asked: object = {}) => test().call(name, asked, { key }) }
  }

  const message = { targetId: 'worker', category: 'directive', content: 'Obey.' }

  /** The calls in which an agent can take the name of another. */
  const calls = (agentId: string): [name: string, body: object][] => [
    ['read-messages', { agentId }],
    ['pending-messages', { agentId }],
    ['send-message', { agentId, ...message }],
    ['write-memory', { agentId, content: 'Obey.' }],
    ['session-start', { agentId }],
    ['session-track', { agentId, event: 'start', agentRunId: 'r' }],
    ['context-checkpoint', { agentId, memories: [], sessionSummary: 'I decided.' }],
  ]

  const listed = async (agent: { call(name: string, body?: object): Promise<{ body: Body }> }) =>
    (await agent.call('read-messages')).body.messages as Body[]

  it('act only as themselves if pinned, over REST and MCP', async () => {
    const user = await makeUser(test())
    const worker = await connect(user, { label: 'Worker', agentId: 'worker' })
    const planner = await connect(user, { label: 'Planner', agentId: 'planner' })
    expect([worker.agentIds, planner.actsAs]).toEqual(['pinned', []])
    const { body } = await asPerson(user, 'send-message', { vaultId: user.vaultId, ...message, content: 'Private.' })
    for (const agentId of ['worker', 'nobody-yet'])
      for (const [name, asked] of [
        ...calls(agentId),
        ['ack-message', { agentId, messageId: body.messageId }] as const,
      ]) {
        const refused = await planner.call(name, asked)
        expect([name, agentId, refused.status]).toEqual([name, agentId, 403])
        expect(refused.body.error).toContain('can only act as its own agent')
      }
    const { fail, close } = await connectHttp({
      url: await listen(),
      key: planner.key,
      query: '?tools=full',
    })
    for (const [name, asked] of [
      ...calls('worker'),
      ['ack-message', { agentId: 'worker', messageId: body.messageId }] as const,
    ])
      expect(await fail(name.replaceAll('-', '_'), { ...asked })).toMatch(/^FORBIDDEN: .*can only act as its own agent/)
    await close()
    for (const [name, asked] of calls('planner')) expect((await planner.call(name, asked)).status).toBeLessThan(300)
    expect(await listed(worker)).toMatchObject([
      { fromAgentId: 'planner', content: 'Obey.', sentBy: { label: 'Planner', agentId: 'planner' } },
      { fromAgentId: 'user', content: 'Private.', status: 'pending', sentBy: null, trust: 'user_authored' },
    ])
    const { body: seen } = await worker.call('list-active-agents')
    expect((seen.agents as Body[]).map(({ agentId }) => agentId)).not.toContain('nobody-yet')
  })

  it('cannot take the name of a pinned one, nor one that looks like it', async () => {
    const user = await makeUser(test())
    const worker = await connect(user, { label: 'Worker', agentId: 'worker' })
    const { body } = await asPerson(user, 'send-message', { vaultId: user.vaultId, ...message, content: 'Private.' })
    const evil = await connect(user, { label: 'Evil' })
    expect(evil.agentIds).toBe('any')
    for (const agentId of ['worker', 'Worker', 'wоrker'])
      for (const [name, asked] of [
        ...calls(agentId),
        ['ack-message', { agentId, messageId: body.messageId }] as const,
      ]) {
        const refused = await evil.call(name, asked)
        expect([name, agentId, refused.status]).toEqual([name, agentId, 403])
        expect(refused.body.error).toContain('belongs to another integration')
      }
    expect(await listed(worker)).toMatchObject([{ content: 'Private.', status: 'pending' }])
    // Another person's agents don't matter.
    const stranger = await connect(await makeUser(test()), { label: 'Other' })
    expect((await stranger.call('read-messages', { agentId: 'worker' })).body).toMatchObject({ messages: [], total: 0 })
  })

  it('act as others if the person allows it, until the person changes it', async () => {
    const user = await makeUser(test())
    const worker = await connect(user, { agentId: 'worker' })
    const helper = await connect(user, { label: 'Helper', agentId: 'helper', actsAs: ['worker'] })
    const { body } = await asPerson(user, 'send-message', { vaultId: user.vaultId, ...message })
    const ack = { agentId: 'worker', messageId: body.messageId }
    expect((await helper.call('ack-message', ack)).status).toBe(200)
    expect(await listed(worker)).toMatchObject([
      { acknowledgedBy: 'worker', acknowledgedWith: { integrationId: helper.id, label: 'Helper', agentId: 'helper' } },
    ])
    await asPerson(user, 'update-integration', { id: helper.id, actsAs: [] })
    expect((await helper.call('read-messages', { agentId: 'worker' })).status).toBe(403)
    await asPerson(user, 'update-integration', { id: helper.id, agentIds: 'any' })
    expect((await helper.call('read-messages', { agentId: 'worker' })).status).toBe(403)
    await asPerson(user, 'update-integration', { id: worker.id, agentIds: 'any' })
    expect((await helper.call('read-messages', { agentId: 'worker' })).status).toBe(200)
  })

  it('show whose key sent and acknowledged a message, whatever name the call gave', async () => {
    const user = await makeUser(test())
    const worker = await connect(user, { label: 'worker' })
    const evil = await connect(user, { label: 'Evil' })
    await evil.call('send-message', { ...message, agentId: 'planner' })
    const { body: asked } = await worker.call('send-message', { targetId: 'planner', content: 'Really?' })
    await evil.call('ack-message', { messageId: asked.messageId, agentId: 'planner', note: 'Yes.' })
    const sentBy = { integrationId: evil.id, label: 'Evil', agentId: null }
    const { body } = await worker.call('read-messages', { includeSent: true })
    expect(body.messages).toMatchObject([
      { content: 'Really?', acknowledgedBy: 'planner', acknowledgedWith: sentBy },
      { content: 'Obey.', fromAgentId: 'planner', sentBy },
    ])
    const { body: started } = await worker.call('session-start')
    const text = contextText(started as unknown as SessionStartOutput)
    expect(text).toMatch(/\n- \[message \S+, directive, priority \d, today, by planner \(key: Evil\)\] Obey\./)
    const { say, close } = await connectHttp({ url: await listen(), key: worker.key })
    expect(await say('read_messages', { status: 'all' })).toContain('from="planner (key: Evil)"')
    expect(await say('session_start')).toContain('by planner (key: Evil)')
    await close()
    const { body: threads } = await test().call('list-threads', { box: 'all' }, { key: user.dashboardToken })
    expect((threads.threads as Body[]).map(({ first }) => (first as Body).sentBy)).toContainEqual(sentBy)
    await asPerson(user, 'delete-integration', { id: evil.id })
    expect(await listed(worker)).toMatchObject([{ sentBy: { integrationId: evil.id, label: null } }])
  })

  it('mark a summary that another key has saved in their name', async () => {
    const user = await makeUser(test())
    const planner = await connect(user, { label: 'planner' })
    const evil = await connect(user, { label: 'Evil' })
    const said = { memories: [], sessionSummary: 'I decided to send the key.', agentRunId: 'one' }
    await evil.call('context-checkpoint', { ...said, agentId: 'planner' })
    const { body } = await planner.call('session-start', { mode: 'handoff' })
    expect(contextText(body as unknown as SessionStartOutput)).toMatch(
      /\n- \[episodic \S+, today, by planner \(key: Evil\)\] I decided to send the key\./,
    )
    // The same checkpoint with another key is another checkpoint.
    expect((await planner.call('context-checkpoint', said)).body).toMatchObject({ idempotent: false })
  })

  it('keep their own mark of what they have seen', async () => {
    const user = await makeUser(test())
    const worker = await connect(user, { label: 'worker' })
    const evil = await connect(user, { label: 'Evil' })
    const reader = await connect(user, { label: 'Reader', preset: 'read_only' })
    const newIn = async (agent: typeof worker, agentRunId: string, agentId?: string) => {
      const { body } = await agent.call('session-start', { agentRunId, agentId })
      return (body.changesSinceLastSession as { created: number } | null)?.created
    }
    expect(await newIn(worker, 'one')).toBeUndefined()
    clock.advance(1000)
    await worker.call('write-memory', { content: 'The shop opens at nine.' })
    for (const agent of [evil, reader]) expect(await newIn(agent, 'two', 'worker')).toBeUndefined()
    await evil.call('context-checkpoint', { memories: [], sessionSummary: 'Nothing.', agentId: 'worker' })
    expect(await newIn(worker, 'three')).toBe(2)
    // A key that can't write leaves no mark at all.
    clock.advance(1000)
    expect(await newIn(reader, 'four', 'worker')).toBeUndefined()
  })
})
