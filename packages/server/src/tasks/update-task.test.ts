import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { ascending, makeClock, startAgent } from '../../test/scenarios.ts'
import { make, titles, taskOf, update } from './testing/call-tasks.ts'

eachDialect('tasks', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  it('move between all statuses, with completion time and history', async () => {
    const agent = await startAgent(test(), { agentId: 'worker' })
    const taskId = await make(agent, 'Go round')
    const steps = ['in_progress', 'blocked', 'done', 'todo', 'backlog', 'done', 'in_progress'] as const
    let from = 'todo'
    for (const [at, status] of steps.entries()) {
      clock.advance(1_000)
      const { body } = await update(agent, taskId, { status, comment: `step ${at}` })
      expect(body).toEqual({
        taskId,
        updated: true,
        status,
        previousStatus: from,
        version: at + 2,
        completedAt: status === 'done' ? clock.iso() : null,
        vaultId: agent.user.vaultId,
      })
      from = status
    }
    const { statusHistory, completedAt } = await taskOf(agent, taskId)
    expect(completedAt).toBeNull()
    expect(statusHistory).toEqual(
      steps.map((to, at) => ({
        from: at === 0 ? 'todo' : steps[at - 1],
        to,
        at: clock.iso((at + 1 - steps.length) * 1_000),
        integrationId: expect.any(String),
        agentId: 'worker',
        comment: `step ${at}`,
      })),
    )
  })

  it('keep their first completion time, and keep a comment even if nothing else changes', async () => {
    const agent = await startAgent(test())
    const taskId = await make(agent, { title: 'x', status: 'done' })
    const doneAt = clock.iso()
    clock.advance(1_000)
    expect((await update(agent, taskId, { status: 'done' })).body).toMatchObject({
      updated: false,
      completedAt: doneAt,
    })
    expect((await update(agent, taskId, { comment: 'checked' })).body).toMatchObject({
      updated: true,
      version: 2,
      completedAt: doneAt,
    })
    expect((await taskOf(agent, taskId)).statusHistory).toMatchObject([
      { from: 'done', to: 'done', comment: 'checked' },
    ])
  })

  it('lose their blocked reason once they are unblocked', async () => {
    const agent = await startAgent(test())
    const taskId = await make(agent, 'x')
    await update(agent, taskId, { status: 'blocked', blockedReason: 'no key' })
    await update(agent, taskId, { priority: 4 })
    expect(await taskOf(agent, taskId)).toMatchObject({ blockedReason: 'no key', priority: 4 })
    await update(agent, taskId, { status: 'todo' })
    expect(await taskOf(agent, taskId)).toMatchObject({ blockedReason: null })
  })

  it('can be assigned to an agent, and unassigned with null', async () => {
    const agent = await startAgent(test())
    const taskId = await make(agent, { title: 'x', assignedAgentId: 'a' })
    await update(agent, taskId, { assignedAgentId: 'b' })
    expect([await titles(agent, { assignedAgentId: 'a' }), await titles(agent, { assignedAgentId: 'b' })]).toEqual([
      [],
      ['x'],
    ])
    await update(agent, taskId, { assignedAgentId: null, title: null })
    expect(await taskOf(agent, taskId)).toMatchObject({ assignedAgentId: null, title: 'x' })
    expect(await titles(agent, { assignedAgentId: 'b' })).toEqual([])
  })

  it('merge metadata', async () => {
    const agent = await startAgent(test())
    const taskId = await make(agent, { title: 'x', metadata: { keep: 1, drop: 2, nest: { a: 1 } } })
    await update(agent, taskId, { metadata: { drop: null, nest: { b: 2 } } })
    expect((await taskOf(agent, taskId)).metadata).toEqual({ keep: 1, nest: { a: 1, b: 2 } })
    const big = { big: 'x'.repeat(65_520) }
    const { status, body } = await update(agent, taskId, { metadata: big })
    expect([status, body.fields]).toEqual([400, { metadata: 'at most 65536 characters as JSON, once merged' }])
  })

  it('reject a change that expects another state, and change nothing', async () => {
    const agent = await startAgent(test())
    const taskId = await make(agent, 'x')
    for (const expectation of [{ expectedStatus: 'backlog' }, { expectedVersion: 2 }]) {
      const { status, body } = await update(agent, taskId, { status: 'done', ...expectation })
      expect([status, body.error]).toEqual([409, expect.stringContaining('The task')])
    }
    expect(await taskOf(agent, taskId)).toMatchObject({ status: 'todo', version: 1 })
    const { status } = await update(agent, taskId, { status: 'done', expectedStatus: 'todo', expectedVersion: 1 })
    expect(status).toBe(200)
  })

  it('can be claimed by only one of many concurrent callers', async () => {
    const agent = await startAgent(test())
    const taskId = await make(agent, 'contested')
    const claims = Array.from({ length: 12 }, (_, at) =>
      update(agent, taskId, { status: 'in_progress', expectedStatus: 'todo', assignedAgentId: `agent ${at}` }),
    )
    const statuses = (await Promise.all(claims)).map(({ status }) => status)
    expect(statuses.toSorted(ascending)).toEqual([200, ...Array<number>(11).fill(409)])
    const { statusHistory, assignedAgentId } = await taskOf(agent, taskId)
    expect([statusHistory, assignedAgentId]).toEqual([[expect.anything()], `agent ${statuses.indexOf(200)}`])
  })

  it('accept all concurrent changes without an expectation', async () => {
    const agent = await startAgent(test())
    const taskId = await make(agent, 'busy')
    await Promise.all(Array.from({ length: 10 }, (_, at) => update(agent, taskId, { comment: `${at}` })))
    const { statusHistory, version } = await taskOf(agent, taskId)
    expect([(statusHistory as unknown[]).length, version]).toEqual([10, 11])
  })

  it('stay in sync with their memories, whichever of both is changed', async () => {
    const agent = await startAgent(test())
    const taskId = await make(agent, { title: 'Paint the\n\ndoor', description: 'in green' })
    expect((await agent.read(taskId)).content).toBe('Paint the\n\ndoor\n\nin green')
    await update(agent, taskId, { description: 'in blue', priority: 5 })
    expect(await agent.read(taskId)).toMatchObject({
      content: 'Paint the\n\ndoor\n\nin blue',
      importance: 5,
      version: 2,
    })
    expect(await agent.search('green')).toEqual([])
    expect(await agent.search('blue')).toEqual([taskId])
    await agent.call('update-memory', { memoryId: taskId, content: 'Paint the gate\nin red', importance: 2 })
    expect(await taskOf(agent, taskId)).toMatchObject({ title: 'Paint the gate', description: 'in red', priority: 2 })
    await update(agent, taskId, { description: '' })
    expect(await taskOf(agent, taskId)).toMatchObject({ title: 'Paint the gate', description: null, version: 4 })
    // The same content, cut at another place.
    await update(agent, taskId, { title: 'a\n\nb' })
    await update(agent, taskId, { title: 'a', description: 'b' })
    expect(await taskOf(agent, taskId)).toMatchObject({ title: 'a', description: 'b', version: 6 })
    expect((await agent.read(taskId)).content).toBe('a\n\nb')
  })

  it('start as todo if a memory becomes one, or with their earlier state if it was one before', async () => {
    const agent = await startAgent(test())
    const memoryId = await agent.write('Call the bank\nabout the card')
    await agent.call('update-memory', { memoryId, memoryType: 'task' })
    expect(await taskOf(agent, memoryId)).toMatchObject({ title: 'Call the bank', status: 'todo', statusHistory: [] })
    await update(agent, memoryId, { status: 'in_progress', assignedAgentId: 'me' })
    await agent.call('update-memory', { memoryId, memoryType: 'episodic' })
    expect(await titles(agent)).toEqual([])
    await agent.call('update-memory', { memoryId, memoryType: 'task' })
    expect(await taskOf(agent, memoryId)).toMatchObject({ status: 'in_progress', assignedAgentId: 'me' })
  })
})
