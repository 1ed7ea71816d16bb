import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { make, titles, taskOf, update } from './testing/call-tasks.ts'

eachDialect('tasks', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  it('are created with 201 and the defaults, and are memories of type task', async () => {
    const agent = await startAgent(test(), { label: 'Desk' })
    const { status, body } = await agent.call('create-task', { title: 'Water the plants' })
    const taskId = String(body.taskId)
    const made = { taskId, created: true, idempotent: false, status: 'todo', vaultId: agent.user.vaultId, version: 1 }
    expect([status, body]).toEqual([201, made])
    expect(await taskOf(agent, taskId)).toEqual({
      taskId,
      memoryId: taskId,
      vaultId: agent.user.vaultId,
      title: 'Water the plants',
      description: null,
      status: 'todo',
      priority: 3,
      importance: 3,
      assignedAgentId: null,
      doneWhen: null,
      blockedReason: null,
      entities: [],
      completedAt: null,
      statusHistory: [],
      archivedAt: null,
      externalWriteId: null,
      metadata: {},
      agentId: 'Desk',
      agentRunId: null,
      source: { integrationId: expect.any(String), route: 'create-task', trust: 'agent_authored' },
      changedBy: null,
      version: 1,
      createdAt: clock.iso(),
      updatedAt: clock.iso(),
    })
    expect(await agent.read(taskId)).toMatchObject({
      memoryType: 'task',
      content: 'Water the plants',
      importance: 3,
      source: { route: 'create-task' },
    })
    expect(await agent.search('plants', { memoryType: 'task' })).toEqual([taskId])
    expect(await agent.search('plants', { memoryType: 'fact' })).toEqual([])
  })

  it('keep every field exactly as it was sent', async () => {
    const agent = await startAgent(test())
    const sent = {
      title: ' Ünï\n\ncödé 𝄞 ',
      description: '\n\n first\n\nsecond ',
      status: 'blocked',
      priority: 5,
      assignedAgentId: ' agent-7 ',
      doneWhen: 'it is "done"',
      blockedReason: 'waits',
      metadata: { nested: [1, null] },
      externalWriteId: 'id 1',
      agentId: 'planner',
      agentRunId: 'run-7',
    }
    expect(await taskOf(agent, await make(agent, sent))).toMatchObject({ ...sent, importance: 5 })
  })

  it('return the first task for a repeated externalWriteId, never a memory', async () => {
    const agent = await startAgent(test())
    await agent.write({ content: 'a memory', externalWriteId: 'same' })
    const taskId = await make(agent, { title: 'first', externalWriteId: 'same', status: 'backlog' })
    await update(agent, taskId, { status: 'blocked' })
    const again = await agent.call('create-task', { title: 'second', externalWriteId: 'same' })
    expect([again.status, again.body]).toEqual([
      200,
      { taskId, created: false, idempotent: true, status: 'blocked', vaultId: agent.user.vaultId, version: 2 },
    ])
    expect(await titles(agent)).toEqual(['first'])
  })

  it('can be created by write-memory, with the first line as title', async () => {
    const agent = await startAgent(test())
    const cases: [string, string, string | null][] = [
      ['Just this', 'Just this', null],
      ['First line\nsecond\n\nthird', 'First line', 'second\n\nthird'],
      ['First line\r\n\r\nsecond', 'First line', 'second'],
      ['\n  After blanks  \nmore', 'After blanks  ', 'more'],
    ]
    for (const [content, title, description] of cases) {
      const taskId = await agent.write({ content, memoryType: 'task', importance: 4 })
      expect(await taskOf(agent, taskId)).toMatchObject({ title, description, status: 'todo', priority: 4, version: 1 })
      expect((await agent.read(taskId)).content).toBe(content)
    }
  })
})

describe('tasks', () => {
  const test = useTestApp()

  it('accept the longest title and description, and nothing longer', async () => {
    const agent = await startAgent(test())
    const longest = { title: 't'.repeat(10_000), description: '\u0001'.repeat(100_000) }
    const taskId = await make(agent, longest)
    expect(await taskOf(agent, taskId)).toMatchObject(longest)
    for (const over of [
      { title: 't'.repeat(10_001) },
      { title: '' },
      { description: 'd'.repeat(100_001) },
      { priority: 6 },
      { priority: 0 },
      { status: 'open' },
      { assignedAgentId: '' },
    ]) {
      const [field = ''] = Object.keys(over)
      const { status, body } = await agent.call('create-task', { title: 'x', ...over })
      expect([field, status, Object.keys(body.fields as object)]).toEqual([field, 400, [field]])
    }
    expect((await agent.call('update-task', { id: taskId, comment: 'by its alias' })).status).toBe(200)
  })
})
