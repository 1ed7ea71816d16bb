import { describe, expect, it } from 'vitest'
import { callAgent, eachService, newAgent, newVault, send, succeed } from './service.ts'

/** What the API says about messages, documents, settings, sessions and webhooks. */

eachService('messages and sessions', (service) => {
  const start = async () => {
    const vaultId = await newVault(service())
    const call = (name: string, body: object = {}) => succeed(service(), name, { vaultId, ...body })
    const sendTo = async (targetId: string, agentId: string, more: object = {}) =>
      String((await call('send-message', { targetId, agentId, content: 'The heron is back.', ...more }))['messageId'])
    const pendingOf = async (agentId: string) =>
      ((await call('pending-messages', { agentId }))['messages'] as { messageId: string }[]).map(
        ({ messageId }) => messageId,
      )
    return { vaultId, call, sendTo, pendingOf }
  }

  describe('a message', () => {
    it('is pending for its recipient until they acknowledge it, and reading changes nothing', async () => {
      const { call, sendTo, pendingOf } = await start()
      const messageId = await sendTo('bob', 'ada')
      expect([await pendingOf('bob'), await pendingOf('ada'), await pendingOf('eve')]).toEqual([[messageId], [], []])
      const { messages } = await call('read-messages', { agentId: 'bob' })
      expect(messages).toMatchObject([
        { messageId, fromAgentId: 'ada', targetType: 'agent', status: 'pending', content: 'The heron is back.' },
      ])
      expect(await pendingOf('bob')).toEqual([messageId])
      expect(await call('ack-message', { agentId: 'bob', messageId, note: 'Seen.' })).toMatchObject({
        messageId,
        status: 'acknowledged',
        alreadyAcknowledged: false,
      })
      expect(await call('ack-message', { agentId: 'bob', messageId })).toMatchObject({ alreadyAcknowledged: true })
      expect(await pendingOf('bob')).toEqual([])
    })

    it('to everyone is acknowledged by each recipient separately, and by no one else', async () => {
      const { vaultId, call, sendTo, pendingOf } = await start()
      const messageId = await sendTo('*', 'ada')
      await call('ack-message', { agentId: 'bob', messageId })
      expect([await pendingOf('bob'), await pendingOf('eve'), await pendingOf('ada')]).toEqual([[], [messageId], []])
      const direct = await sendTo('bob', 'ada')
      const { status } = await callAgent(service(), 'ack-message', { vaultId, agentId: 'eve', messageId: direct })
      expect(status).toBe(404)
    })

    it('uses its template for fields that it leaves out', async () => {
      const { call, sendTo } = await start()
      const messageId = await sendTo('bob', 'ada', { template: 'alert' })
      const { messages } = await call('read-messages', { agentId: 'bob' })
      expect(messages).toMatchObject([{ messageId, category: 'alert', priority: 5, subject: expect.any(String) }])
    })

    it('that replies to another joins its thread; the most urgent pending one is first', async () => {
      const { call, sendTo, pendingOf } = await start()
      const question = await sendTo('bob', 'ada')
      const answer = await sendTo('ada', 'bob', { parentMessageId: question })
      const { messages } = await call('read-messages', { agentId: 'ada' })
      expect(messages).toMatchObject([{ messageId: answer, parentMessageId: question, threadId: expect.any(String) }])
      const urgent = await sendTo('bob', 'eve', { priority: 5 })
      expect(await pendingOf('bob')).toEqual([urgent, question])
    })
  })

  describe('a document', () => {
    it('is a template until it is written, and its rules apply', async () => {
      const { vaultId, call } = await start()
      const soul = await call('read-document', { documentType: 'soul' })
      expect(soul).toMatchObject({
        documentType: 'soul',
        inheritMode: 'inherit',
        agentEditable: false,
        appendOnly: false,
      })
      const refused = { vaultId, documentType: 'soul', content: 'Be bold.', mode: 'replace' }
      expect((await callAgent(service(), 'update-document', refused)).status).toBe(403)
      await call('update-document', { documentType: 'skills', content: 'Feed cats.', mode: 'replace' })
      await call('update-document', { documentType: 'skills', content: 'Walk dogs.', mode: 'append' })
      const { content } = await call('read-document', { documentType: 'skills' })
      expect(content).toMatch(/Feed cats\.\s*Walk dogs\./)
    })
  })

  describe('settings', () => {
    it('are a merge patch that only an admin may send', async () => {
      const { vaultId, call } = await start()
      const before = (await call('get-settings'))['settings'] as Record<string, unknown>
      const changed = await call('update-settings', { settings: { decayHalfLife: 90, retention: { turnsDays: 7 } } })
      expect(changed).toMatchObject({
        settings: { decayHalfLife: 90, retention: { turnsDays: 7, archivedDays: null } },
      })
      await call('update-settings', { settings: { decayHalfLife: null } })
      expect((await call('get-settings'))['settings']).toMatchObject({ decayHalfLife: before['decayHalfLife'] })
      const unknown = { vaultId, settings: { colour: 'red' } }
      expect((await callAgent(service(), 'update-settings', unknown)).status).toBe(400)
    })
  })

  describe('a session', () => {
    it('starts with what an agent should know, within the requested number of characters', async () => {
      const { call, sendTo } = await start()
      for (let number = 0; number < 30; number++)
        await call('write-memory', { content: `Fact ${number}: ${'herons fish at dawn. '.repeat(40)}`, importance: 5 })
      await call('write-memory', { content: 'Never wake the heron.', memoryType: 'constraint' })
      await call('create-task', { title: 'Count the herons' })
      await call('create-task', { title: 'Done already', status: 'done' })
      const messageId = await sendTo('me', 'ada', { priority: 5 })
      for (const maxResponseChars of [2000, 4000, 16_000]) {
        const body = await call('session-start', { agentId: 'me', maxResponseChars, summaryOnly: false })
        expect(JSON.stringify(body).length).toBeLessThanOrEqual(maxResponseChars)
        expect(body).toMatchObject({ budget: { maxResponseChars } })
      }
      const body = await call('session-start', { agentId: 'me', maxFacts: 2, agentRunId: 'run-2' })
      const { facts, tasks, constraints } = body['sessionContext'] as Record<string, unknown[]>
      expect([facts?.length, tasks?.length, constraints?.length]).toEqual([2, 1, 1])
      expect(body['agentRunId']).toBe('run-2')
      // The inbox covers all vaults of a key.
      expect(body['pendingMessages']).toContainEqual(expect.objectContaining({ messageId }))
      expect(await call('session-start', { mode: 'none' })).toMatchObject({
        sessionContext: { episodic: [], facts: [], tasks: [], constraints: [] },
      })
    })

    it('ends with a checkpoint that is saved once, and whose invalid items fail alone', async () => {
      const { vaultId, call } = await start()
      const checkpoint = {
        vaultId,
        agentRunId: 'run-3',
        sessionSummary: 'Watched herons.',
        memories: [{ content: 'Herons fish at dawn.' }, { content: 'Herons fish at dawn.' }, { content: '' }],
      }
      const first = await succeed(service(), 'context-checkpoint', checkpoint)
      expect(first).toMatchObject({ total: 3, created: 1, skipped: 1, failed: 1, summaryMemoryId: expect.any(String) })
      expect((first['results'] as { index: number; status: string }[]).map(({ status }) => status)).toEqual([
        'created',
        'skipped',
        'failed',
      ])
      const again = await succeed(service(), 'context-checkpoint', checkpoint)
      expect(again).toMatchObject({ idempotent: true, summaryMemoryId: first['summaryMemoryId'] })
      const memoryIds = [first['summaryMemoryId']]
      expect(await call('read-memories', { memoryIds })).toMatchObject({ memories: [{ memoryType: 'episodic' }] })
    })

    it('records turns, which are scored and become memories if they contain something', async () => {
      const { call } = await start()
      const idle = await call('ingest-turn', { role: 'user', content: 'ok' })
      expect(idle).toMatchObject({ extractionStatus: 'skipped' })
      const telling = await call('ingest-turn', { role: 'user', content: 'Remember: we always deploy on Tuesdays.' })
      expect(telling['extractionStatus']).not.toBe('skipped')
      expect(Number(telling['signalScore'])).toBeGreaterThan(Number(idle['signalScore']))
      const custom = { role: 'user', content: 'The zeppelin.', customSignalKeywords: ['zeppelin'] }
      expect(await call('ingest-turn', custom)).toMatchObject({ signalKeywords: ['zeppelin'] })
    })

    it('is counted by its run, also from the header, and listed with the active agents', async () => {
      const vaultId = await newVault(service())
      const { key } = await newAgent(service(), { preset: 'read_write', label: 'Runner', primaryVaultId: vaultId })
      const headers = { 'X-Agent-Run-Id': 'run-4' }
      await callAgent(service(), 'write-memory', { content: 'x' }, { key, headers })
      const tracked = await callAgent(service(), 'session-track', { currentActivity: 'watching' }, { key, headers })
      expect(tracked.body).toMatchObject({ tracked: true, agentRunId: 'run-4', toolCalls: 1 })
      const { agents } = await succeed(service(), 'list-active-agents', { vaultId, agentRunId: 'run-4' }, key)
      expect(agents).toMatchObject([{ agentRunId: 'run-4', currentActivity: 'watching', toolCalls: 2 }])
    })
  })

  describe('a webhook', () => {
    const dashboard = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
      send(service(), { key: service().dashboardToken, method, path, body })

    it('shows its secret once, is listed without it, changed, and deleted', async () => {
      const vaultId = await newVault(service())
      const filters = { category: ['alert'], priority_gte: 4, targetId: 'bob' }
      const wanted = { url: 'https://example.org/hook', events: ['message.created', 'message.acknowledged'] }
      const { status, body } = await dashboard('POST', '/api/webhooks', { ...wanted, vaultId, filters })
      expect(status).toBe(201)
      expect(body['webhook']).toMatchObject({ ...wanted, vaultId, filters, isActive: true, secret: expect.any(String) })
      const { id, secret } = body['webhook'] as { id: string; secret: string }
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      const list = await dashboard('GET', '/api/webhooks?limit=100')
      const listed = (list.body['webhooks'] as { id: string }[]).find((webhook) => webhook.id === id)
      expect(listed).toMatchObject({ errorCount: 0, lastError: null })
      expect(JSON.stringify(list.body)).not.toContain(secret)
      const off = await dashboard('PATCH', '/api/webhooks', { id, isActive: false })
      expect(off.body['webhook']).toMatchObject({ id, isActive: false })
      expect((await dashboard('DELETE', `/api/webhooks?id=${id}`)).body).toEqual({ id, deleted: true })
      expect((await dashboard('DELETE', `/api/webhooks?id=${id}`)).status).toBe(404)
    })

    it('rejects private addresses, unknown events, and too many message categories', async () => {
      const ask = async (body: object) =>
        (
          await dashboard('POST', '/api/webhooks', {
            url: 'https://example.org/',
            events: ['message.created'],
            ...body,
          })
        ).status
      for (const url of [
        'http://127.0.0.1/',
        'http://localhost:9/',
        'http://[::1]/',
        'http://169.254.169.254/',
        'ftp://x/',
      ])
        expect([url, await ask({ url })]).toEqual([url, 400])
      expect(await ask({ events: ['message.deleted'] })).toBe(400)
      expect(await ask({ filters: { priority_gte: 6 } })).toBe(400)
    })
  })
})
