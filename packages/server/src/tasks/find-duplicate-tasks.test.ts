import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { startAgent, type TestAgent } from '../../test/scenarios.ts'

eachDialect('create-task with dedup', (dialect) => {
  const test = useTestApp({ dialect })
  const make = async (agent: TestAgent, task: Record<string, unknown>) =>
    (await agent.call('create-task', { dedup: true, ...task })).body

  it('returns the task that says the same, with its status', async () => {
    const agent = await startAgent(test())
    const first = await make(agent, { title: 'Renew the certificate', description: 'of the proxy', status: 'backlog' })
    const again = await make(agent, {
      title: 'renew the certificate',
      description: 'of the proxy',
      status: 'backlog',
      externalWriteId: 'k',
    })
    expect(again).toMatchObject({
      taskId: first.taskId,
      created: false,
      status: 'backlog',
      dedupAction: 'exact_match',
      duplicateOfId: first.taskId,
    })
    const repeat = await make(agent, { title: 'anything', externalWriteId: 'k' })
    expect(repeat).toMatchObject({ taskId: first.taskId, idempotent: true })
    expect(await make(agent, { title: 'renew the certificate' })).toMatchObject({ created: true })
  })

  it('skips tasks that are done, in another vault, for someone else, or done under another condition', async () => {
    const agent = await startAgent(test())
    const title = 'Review the budget'
    const done = await make(agent, { title, status: 'done' })
    const mine = await make(agent, { title, assignedAgentId: 'me' })
    expect([mine.created, mine.taskId === done.taskId]).toEqual([true, false])
    const yours = await make(agent, { title, assignedAgentId: 'you' })
    expect(yours.created).toBe(true)
    expect(await make(agent, { title, assignedAgentId: 'you' })).toMatchObject({ taskId: yours.taskId })
    expect(await make(agent, { title, assignedAgentId: 'me', doneWhen: 'signed' })).toMatchObject({ created: true })
    const nobodys = await make(agent, { title })
    expect(nobodys.created).toBe(true)
    expect(await make(agent, { title, status: 'done' })).toMatchObject({ created: true, status: 'done' })
    const blocked = await make(agent, { title, status: 'blocked', blockedReason: 'waits for legal' })
    expect(blocked).toMatchObject({ created: true, status: 'blocked' })
    const otherwise = { title, status: 'blocked', blockedReason: 'waits for the audit' }
    expect(await make(agent, otherwise)).toMatchObject({ created: true })
    expect(await make(agent, { title })).toMatchObject({ taskId: nobodys.taskId, created: false })
  })
})
