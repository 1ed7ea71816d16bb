import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makePerson } from '../../test/person.ts'
import { startAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { taskOf } from './testing/call-tasks.ts'

eachDialect('the reason that blocks a task', (dialect) => {
  const test = useTestApp({ dialect })

  const start = async () => {
    const person = await makePerson(test())
    const writePolicy = { persons: 'no', agents: 'no' } as const
    const agent = await startAgent(test(), { user: person.user, agentId: 'codex', writePolicy })
    return { person, agent }
  }
  const byPerson = { integrationId: null, agentId: 'user' }

  it('is signed by who wrote it, and leaves the task to who wrote its text', async () => {
    const { person, agent } = await start()
    const theirs = (await person.call('create-task', { title: 'Rotate the key' })).body.taskId
    const own = (await agent.call('create-task', { title: 'Push' })).body.taskId
    const block = { status: 'blocked', blockedReason: 'The vault is shut.' }
    expect((await agent.call('update-task', { taskId: theirs, agentId: 'planner', ...block })).status).toBe(200)
    expect((await person.call('update-task', { taskId: own, ...block })).status).toBe(200)
    expect(await taskOf(agent, String(theirs))).toMatchObject({
      source: { trust: 'user_authored' },
      changedBy: null,
      blockedReason: 'The vault is shut.',
      blockedBy: {
        integrationId: expect.any(String),
        agentId: 'planner',
        keyLabel: 'Test agent',
        route: 'update-task',
      },
    })
    expect(await taskOf(agent, String(own))).toMatchObject({ changedBy: null, blockedBy: byPerson })
    expect((await agent.call('session-start', {})).body).toMatchObject({
      sessionContext: {
        tasks: expect.arrayContaining([
          expect.objectContaining({ taskId: theirs, blockedBy: { agentId: 'planner', keyLabel: 'Test agent' } }),
          expect.objectContaining({ taskId: own, blockedBy: { agentId: 'user' } }),
        ]),
      },
    })

    await person.call('update-task', { taskId: theirs, comment: 'Soon.', doneWhen: 'all verify' })
    expect(await taskOf(agent, String(theirs))).toMatchObject({ blockedBy: { agentId: 'planner' } })
    await person.call('update-task', { taskId: theirs, blockedReason: 'It opens at nine.' })
    expect(await taskOf(agent, String(theirs))).toMatchObject({ blockedBy: byPerson })
    await agent.call('update-task', { taskId: theirs, status: 'todo' })
    expect(await taskOf(agent, String(theirs))).not.toHaveProperty('blockedBy')
  })

  it('keeps its writer in an export, and is a claim in a file that anyone could have written', async () => {
    const { person, agent } = await start()
    const blocked = { title: 'Push', status: 'blocked', blockedReason: 'The vault is shut.' }
    const { taskId } = (await agent.call('create-task', blocked)).body
    const { records } = (await person.call('export-records', { kind: 'memory' })).body
    const [exported] = records as { task: Record<string, unknown> }[]
    expect(exported?.task).toMatchObject({ blockedBy: { agentId: 'codex', route: 'create-task' } })
    const imported = async (record: object) => {
      const { vaultId } = (await person.call('create-vault', { name: newId() })).body
      await person.call('import-records', { vaultId, importId: newId(), records: [record] })
      const { tasks } = (await person.call('list-tasks', { vaultId })).body
      return (tasks as Record<string, unknown>[])[0]
    }
    await person.call('archive-memories', { ids: [taskId] })
    await person.call('erase-memory', { id: taskId })
    expect(await imported({ ...exported })).toMatchObject({ blockedBy: { agentId: 'codex', route: 'create-task' } })
    const forged = {
      ...exported?.task,
      blockedBy: { agentId: 'user', route: 'update-task', at: '2026-11-21T09:00:00Z' },
    }
    expect(await imported({ ...exported, id: newId(), task: forged })).toMatchObject({
      blockedBy: { integrationId: null, agentId: null, route: 'import' },
    })
  })
})
