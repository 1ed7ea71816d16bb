import { contextText } from '@holdfast/client'
import { expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeIntegration, makeUser, makeVault } from '../../test/factories.ts'
import { makeClock, startAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'

/** Each printed text has a boundary of its own. */
const withoutBoundary = (text: unknown) => String(text).replaceAll(/(?<=<\/?holdfast-[a-z]+)-[0-9a-f]{12}/g, '')

eachDialect('preview-context', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now })

  const start = async () => {
    const ada = await startAgent(test(), { agentId: 'ada' })
    const bob = await startAgent(test(), { user: ada.user, agentId: 'bob' })
    const preview = (body: object) =>
      test().call(
        'preview-context',
        { vaultId: ada.user.vaultId, ...body },
        {
          key: ada.user.dashboardToken,
        },
      )
    const { integrationId } = (await ada.call('info')).body
    return { ada, bob, preview, integrationId }
  }

  it('returns what session-start returns to that agent, with its messages', async () => {
    const { ada, bob, preview, integrationId } = await start()
    await ada.write({ content: 'Violets need shade.', memoryType: 'constraint' })
    await ada.call('create-task', { title: 'Water the violets', status: 'in_progress' })
    await bob.call('send-message', { targetId: 'ada', content: 'The pond is dry.' })
    await ada.call('send-message', { targetId: 'user', content: 'For people alone.' })
    await ada.call('session-start', { agentRunId: 'earlier' })
    clock.advance(1000)
    await bob.write('Ferns need shade, too.')
    // session-start itself counts as a call of ada's, a preview doesn't.
    await ada.call('list-tasks')
    const { status, body } = await preview({ integrationId, query: 'shade' })
    expect(status).toBe(200)
    const told = await ada.call('session-start', { query: 'shade' })
    const answer = body.answer as Record<string, unknown>
    expect({ ...answer, agentRunId: 'any', budget: 'any' }).toEqual({ ...told.body, agentRunId: 'any', budget: 'any' })
    expect(answer).toMatchObject({
      pendingMessages: [{ content: 'The pond is dry.' }],
      changesSinceLastSession: { created: 1 },
    })
    expect(withoutBoundary(body.text)).toBe(
      withoutBoundary(contextText(answer as never, { maxChars: 9000, hasTools: true })),
    )
    expect(body.text).toContain('Violets need shade.')
    expect(body.text).not.toContain('For people alone.')
    const chars = JSON.stringify(answer).length
    expect(body.size).toMatchObject({ answer: { chars, estimatedTokens: Math.ceil(chars / 4) } })
    expect(body.sections).toContainEqual({
      name: 'constraints',
      entries: 1,
      chars: JSON.stringify((answer.sessionContext as { constraints: unknown }).constraints).length,
      estimatedTokens: expect.any(Number),
      omitted: 0,
    })
  })

  it('moves no mark, so the agent still sees its changes as new', async () => {
    const { ada, preview, integrationId } = await start()
    await ada.call('session-start', { agentRunId: 'earlier' })
    clock.advance(1000)
    await ada.write('violets')
    const changes = { changesSinceLastSession: { created: 1 } }
    for (let times = 0; times < 2; times++)
      expect((await preview({ integrationId })).body.answer).toMatchObject(changes)
    expect((await ada.call('session-start', { agentRunId: 'next' })).body).toMatchObject(changes)
    for (const other of [{ integrationId, agentId: 'nobody' }, { agentId: 'ada' }])
      expect((await preview(other)).body.answer).toMatchObject({ changesSinceLastSession: null })
  })

  it('says what did not fit', async () => {
    const { ada, preview } = await start()
    for (let at = 0; at < 9; at++) await ada.write(`${at} ${'violets '.repeat(40)}`)
    const { body } = await preview({ agentId: 'ada', maxResponseChars: 2000, summaryOnly: false, maxTextChars: 2000 })
    expect((body.size as { answer: { chars: number } }).answer.chars).toBeLessThanOrEqual(2000)
    expect(String(body.text).length).toBeLessThanOrEqual(2000)
    const sections = body.sections as { name: string; omitted: number; entries: number }[]
    const facts = sections.find(({ name }) => name === 'facts')
    expect(facts?.omitted).toBeGreaterThan(0)
    expect((facts?.omitted ?? 0) + (facts?.entries ?? 0)).toBe(9)
  })

  it('shows an integration the vaults that it can read, and uses the name of its agent', async () => {
    const { ada, preview } = await start()
    const second = await makeVault(test(), ada.user, 'Second')
    const { vaultId } = ada.user
    const confined = { agentId: 'carl', restrictToVault: true, vaults: [{ vaultId }] }
    const carl = await makeIntegration(test(), ada.user, confined)
    const vaultsOf = (body: Record<string, unknown>) =>
      (body.answer as { vaults: { vaultId: string }[] }).vaults.map((vault) => vault.vaultId).toSorted()
    const { body } = await preview({ integrationId: carl })
    expect([body.agentId, vaultsOf(body)]).toEqual(['carl', [vaultId]])
    expect(vaultsOf((await preview({ agentId: 'carl' })).body)).toEqual([vaultId, second].toSorted())
    expect((await preview({ vaultId: second, integrationId: carl })).status).toBe(403)
    expect(await preview({})).toMatchObject({ status: 400, body: { fields: { agentId: expect.any(String) } } })
    expect(await preview({ integrationId: newId() })).toMatchObject({ status: 404 })
  })

  it("is for one's own vaults and integrations", async () => {
    const { ada, preview } = await start()
    const stranger = await makeUser(test())
    const foreign = await makeIntegration(test(), stranger)
    expect(await preview({ integrationId: foreign })).toMatchObject({ body: { error: 'Integration not found' } })
    const input = { vaultId: ada.user.vaultId, agentId: 'ada' }
    const answer = await test().call('preview-context', input, { key: stranger.dashboardToken })
    expect([answer.status, answer.body]).toEqual([404, { error: 'Vault not found' }])
  })
})
