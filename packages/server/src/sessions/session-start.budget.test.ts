import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeUser } from '../../test/factories.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { createVault } from '../vaults/vault.ts'
import { start, said } from './testing/start-session.ts'

eachDialect('session-start', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })
  const agentIn = (over: Parameters<typeof startAgent>[1] = {}) => startAgent(test(), { agentId: 'ada', ...over })

  it('fits into the smallest allowed size, whatever the vault contains, and says what it left out', async () => {
    const user = await makeUser(test())
    const { db, keyring, now } = test().app.services
    const name = '\u0001'.repeat(200)
    const add = { profile: { name, description: undefined }, isDefault: false, at: now() }
    const vaultId = await db.write((tx) => createVault(tx, keyring, user, add))
    for (let n = 0; n < 40; n++)
      await db.write((tx) =>
        createVault(tx, keyring, user, { ...add, profile: { ...add.profile, name: `Vault ${n}` } }),
      )
    const agent = await agentIn({ user, agentId: '"'.repeat(200) })
    const content = '\u0000"\\👩‍👩‍👧‍👦漢字 '.repeat(60)
    for (const memoryType of ['fact', 'constraint', 'episodic', 'task', 'skill'])
      for (let n = 0; n < 4; n++) await agent.write({ content: `${n} ${content}`, memoryType, vaultId })
    for (let n = 0; n < 25; n++)
      await agent.call('send-message', { targetId: '*', content, agentId: 'bob', subject: '\u0000'.repeat(200) })
    for (const mode of ['default', 'planning', 'incident', 'handoff', 'deep', 'minimal', 'none'])
      for (const maxResponseChars of [2000, 2001, 5000, 100_000]) {
        const agentRunId = '\u0001'.repeat(200)
        const { budget } = await start(agent, { vaultId, mode, maxResponseChars, agentRunId, summaryOnly: false })
        const left = Object.values(budget.omitted).reduce((sum, count) => sum + count, 0)
        expect([mode, left > 0 || maxResponseChars === 100_000]).toEqual([mode, true])
      }
    const answer = await start(agent, { vaultId, maxResponseChars: 3000 })
    expect(answer.budget.omitted.vaults).toBe(42 - answer.vaults.length)
    expect(answer.budget.omitted.pendingMessages).toBe(25 - answer.pendingMessages.length)
  })

  it('drops facts before episodes, documents, tasks and constraints', async () => {
    const agent = await agentIn()
    const content = 'x'.repeat(150)
    for (const memoryType of ['fact', 'constraint', 'episodic', 'task'])
      for (let n = 0; n < 3; n++) await agent.write({ content: `${memoryType} ${n} ${content}`, memoryType })
    const kept = async (maxResponseChars: number) => {
      const { facts, episodic, tasks, constraints } = (await start(agent, { maxResponseChars })).sessionContext
      return [facts, episodic, tasks, constraints].map((entries) => entries.length)
    }
    const [few, more] = [await kept(3000), await kept(4600)]
    expect([few[0], few[2], few[3]]).toEqual([0, 3, 3])
    expect((more[1] ?? 0) >= (more[0] ?? 0)).toBe(true)
    expect(await kept(16_000)).toEqual([3, 3, 3, 3])
  })

  it('returns the most important facts if the search finds nothing because its index is damaged, and says so', async () => {
    const agent = await agentIn()
    const memoryId = await agent.write('whole')
    const { db } = test().app.services
    await db.write((tx) => tx.updateTable('indexEntries').set({ revision: 7 }).where('itemId', '=', memoryId).execute())
    const answer = await start(agent, { query: 'anything' }, [
      {
        part: 'search: blind',
        reason: expect.stringMatching(/index entries are damaged: 1 /),
      },
    ])
    expect(said(answer.sessionContext.facts)).toEqual(['whole'])
  })

  it('leaves out a record that cannot be read, and names it', async () => {
    const agent = await agentIn()
    const memoryId = await agent.write({ content: 'damaged', memoryType: 'constraint' })
    await agent.write('whole')
    const { db } = test().app.services
    await db.write((tx) => tx.updateTable('memories').set({ contentRevision: 7 }).where('id', '=', memoryId).execute())
    const reason = `records that are left out, because they are damaged: ${memoryId}`
    const answer = await start(agent, {}, [{ part: 'damaged records', reason }])
    expect(said(answer.sessionContext.facts)).toEqual(['whole'])
  })
})
