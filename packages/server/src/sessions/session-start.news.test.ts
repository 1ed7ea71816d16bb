import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeUser, makeVault } from '../../test/factories.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { start, said } from './testing/start-session.ts'

eachDialect('session-start', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })
  const agentIn = (over: Parameters<typeof startAgent>[1] = {}) => startAgent(test(), { agentId: 'ada', ...over })

  it("counts changes since the agent's last session, and none in its first", async () => {
    const user = await makeUser(test())
    const [ada, bob] = [await agentIn({ user }), await startAgent(test(), { user, agentId: 'bob' })]
    const before = await ada.write('there before')
    const since = clock.iso()
    expect((await start(ada)).changesSinceLastSession).toBeNull()
    clock.advance(1000)
    const made = await bob.write('new')
    const archived = await bob.write('archived')
    await bob.call('archive-memory', { memoryId: archived })
    await bob.call('update-memory', { memoryId: before, content: 'changed' })
    await bob.call('create-task', { title: 'a task' })
    await bob.call('create-note', { title: 'a note', content: 'text' })
    await bob.call('send-message', { targetId: 'ada', content: 'hello' })
    clock.advance(1000)
    expect((await start(ada)).changesSinceLastSession).toEqual({
      since,
      created: 1,
      updated: 1,
      archived: 1,
      tasksChanged: 1,
      notesChanged: 1,
      messages: 1,
      isPartial: false,
    })
    const calm = (await start(ada)).changesSinceLastSession
    expect(calm).toMatchObject({ created: 0, updated: 0, archived: 0, tasksChanged: 0, notesChanged: 0, messages: 0 })
    expect((await start(bob)).changesSinceLastSession).toBeNull()
    expect(made).not.toBe(before)
  })

  it('counts a task that only changed its status, and a note that was only moved', async () => {
    const user = await makeUser(test())
    const [ada, bob] = [await agentIn({ user }), await startAgent(test(), { user, agentId: 'bob' })]
    const { taskId } = (await bob.call('create-task', { title: 'a task' })).body
    const { noteId } = (await bob.call('create-note', { title: 'a note' })).body
    await start(ada)
    const changesAfter = async (name: string, body: Record<string, unknown>) => {
      clock.advance(1000)
      expect((await bob.call(name, body)).status).toBe(200)
      const { tasksChanged, notesChanged } = (await start(ada)).changesSinceLastSession ?? {}
      return [tasksChanged, notesChanged]
    }
    expect(await changesAfter('update-task', { taskId, status: 'in_progress' })).toEqual([1, 0])
    expect(await changesAfter('update-task', { taskId, assignedAgentId: 'ada' })).toEqual([1, 0])
    expect(await changesAfter('update-task', { taskId, blockedReason: 'no key' })).toEqual([1, 0])
    expect(await changesAfter('move-note', { noteId, folderPath: 'Plans' })).toEqual([0, 1])
    expect(await changesAfter('move-note', { noteId, folderPath: 'Plans' })).toEqual([0, 0])
  })

  it('lists pending messages of all vaults by urgency, alerts first in an incident, and acknowledges none', async () => {
    const user = await makeUser(test())
    const second = await makeVault(test(), user)
    const [ada, bob] = [await agentIn({ user }), await startAgent(test(), { user, agentId: 'bob' })]
    const send = (content: string, more: object) => bob.call('send-message', { targetId: 'ada', content, ...more })
    await send('urgent', { priority: 5 })
    await send('alarm', { category: 'alert', priority: 2 })
    await send('elsewhere', { vaultId: second, priority: 3 })
    const answer = await start(ada)
    expect(said(answer.pendingMessages)).toEqual(['urgent', 'elsewhere', 'alarm'])
    expect(answer.pendingCount).toBe(3)
    expect(said((await start(ada, { mode: 'incident' })).pendingMessages)).toEqual(['alarm', 'urgent', 'elsewhere'])
    expect(await start(ada, { mode: 'none' })).toMatchObject({ pendingMessages: [], pendingCount: 3 })
    expect((await ada.call('pending-messages')).body.count).toBe(3)
    expect((await start(bob)).pendingCount).toBe(0)
  })

  it('returns the same changes for each call of a run, until the run is saved', async () => {
    const user = await makeUser(test())
    const [ada, bob] = [await agentIn({ user }), await startAgent(test(), { user, agentId: 'bob' })]
    const changes = async (body: Record<string, unknown>) => (await start(ada, body)).changesSinceLastSession
    expect(await changes({ agentRunId: 'one' })).toBeNull()
    expect(await changes({ agentRunId: 'one' })).toBeNull()
    const since = clock.iso()
    clock.advance(1000)
    await bob.write('new')
    const told = await changes({ agentRunId: 'two' })
    expect(told).toMatchObject({ since, created: 1 })
    clock.advance(1000)
    expect(await changes({ agentRunId: 'two' })).toEqual(told)
    const left = clock.iso()
    clock.advance(1000)
    expect(await changes({ agentRunId: 'three' })).toMatchObject({ since: left, created: 0 })
    const saved = clock.iso()
    await ada.call('context-checkpoint', { memories: [], sessionSummary: 'done', agentRunId: 'three' })
    clock.advance(1000)
    expect(await changes({ agentRunId: 'three' })).toMatchObject({ since: saved, created: 0 })
    expect(await changes({ agentRunId: 'three' })).toMatchObject({ since: saved, created: 0 })
  })

  it('returns the same changes again after a preview', async () => {
    const user = await makeUser(test())
    const [ada, bob] = [await agentIn({ user }), await startAgent(test(), { user, agentId: 'bob' })]
    expect((await start(ada, { peek: true })).changesSinceLastSession).toBeNull()
    expect((await start(ada, { agentRunId: 'one' })).changesSinceLastSession).toBeNull()
    clock.advance(1000)
    await bob.write('new')
    const told = (await start(ada, { peek: true })).changesSinceLastSession
    expect(told).toMatchObject({ created: 1 })
    expect((await start(ada, { peek: true, agentRunId: 'one' })).changesSinceLastSession).toBeNull()
    expect((await start(ada, { agentRunId: 'two' })).changesSinceLastSession).toEqual(told)
  })

  it('does not count a message of the last session again', async () => {
    const user = await makeUser(test())
    const [ada, bob] = [await agentIn({ user }), await startAgent(test(), { user, agentId: 'bob' })]
    await start(ada)
    clock.advance(1000)
    await bob.call('send-message', { targetId: 'ada', content: 'hello' })
    const counts = [await start(ada), await start(ada)].map((told) => told.changesSinceLastSession?.messages)
    expect(counts).toEqual([1, 0])
  })
})
