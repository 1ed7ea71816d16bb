import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { ascending, startAgent, type TestAgent } from '../../test/scenarios.ts'
import { defaultSettings, patchSettings, withDefaults } from './settings.ts'

eachDialect('settings', (dialect) => {
  const test = useTestApp({ dialect })

  const start = () => startAgent(test(), { preset: 'admin' })
  const get = async (agent: TestAgent, more = {}) => (await agent.call('get-settings', more)).body
  const set = (agent: TestAgent, settings: unknown, more = {}) => agent.call('update-settings', { settings, ...more })

  it('are the defaults until they are changed', async () => {
    const agent = await start()
    expect(await get(agent)).toEqual({ vaultId: agent.user.vaultId, settings: defaultSettings, version: 1 })
  })

  it('are merged, and return to their default with null', async () => {
    const agent = await start()
    const first = await set(agent, { threshold: 0.6, dedup: { supersede: 0.9 }, customSignalKeywords: ['ticket'] })
    expect(first).toMatchObject({
      status: 200,
      body: { version: 2, updated: ['threshold', 'dedup', 'customSignalKeywords'] },
    })
    expect((await get(agent)).settings).toEqual({
      ...defaultSettings,
      threshold: 0.6,
      dedup: { ...defaultSettings.dedup, supersede: 0.9 },
      customSignalKeywords: ['ticket'],
    })
    const second = await set(agent, { threshold: null, dedup: null, customSignalKeywords: ['a', 'b'] })
    expect(second.body).toMatchObject({ updated: ['threshold', 'dedup', 'customSignalKeywords'], version: 3 })
    expect((await get(agent)).settings).toEqual({ ...defaultSettings, customSignalKeywords: ['a', 'b'] })
  })

  it('report that nothing changed', async () => {
    const agent = await start()
    expect((await set(agent, {})).body).toMatchObject({ updated: [], version: 1 })
    await set(agent, { diversity: 0.5 })
    expect((await set(agent, { diversity: 0.5 })).body).toMatchObject({ updated: [], version: 2 })
    expect((await set(agent, { threshold: null })).body).toMatchObject({ updated: [], version: 2 })
    const { threshold, dedup, extraction } = defaultSettings
    const asShipped = { threshold, dedup: { supersede: dedup.supersede }, extraction, customSignalKeywords: [] }
    expect((await set(agent, asShipped)).body).toMatchObject({ updated: [], version: 2 })
    expect((await set(agent, { diversity: defaultSettings.diversity })).body.updated).toEqual(['diversity'])
  })

  it('can change profiles of modes and retention periods', async () => {
    const agent = await start()
    await set(agent, {
      sessionProfiles: { minimal: { maxFacts: 7 }, deep: { includeDocuments: ['soul'] } },
      retention: { turnsDays: 30 },
    })
    await set(agent, { sessionProfiles: { minimal: { maxTasks: 0 }, deep: null } })
    expect((await get(agent)).settings).toMatchObject({
      sessionProfiles: { minimal: { maxFacts: 7, maxTasks: 0 } },
      retention: { turnsDays: 30, archivedDays: null, messagesDays: null },
    })
    await set(agent, { sessionProfiles: { minimal: { maxFacts: null, maxTasks: null } } })
    expect((await get(agent)).settings).toMatchObject({ sessionProfiles: {} })
  })

  it('reject unknown names, and list the known ones', async () => {
    const agent = await start()
    const { status, body } = await set(agent, { treshold: 0.5 })
    expect([status, body.error]).toEqual([400, expect.stringMatching(/treshold.*threshold.*retention/)])
    expect(body.fields).toHaveProperty('settings')
    const nested = await set(agent, { dedup: { exact: 1 }, sessionProfiles: { party: {} } })
    expect(nested.body.fields).toMatchObject({
      'settings.dedup': expect.stringContaining('nearDuplicate'),
      'settings.sessionProfiles': expect.stringContaining('planning'),
    })
    expect((await get(agent)).version).toBe(1)
  })

  it('reject values out of range and contradictory values', async () => {
    const agent = await start()
    for (const [settings, field] of [
      [{ threshold: 2 }, 'settings.threshold'],
      [{ decayHalfLife: 0 }, 'settings.decayHalfLife'],
      [{ signalThreshold: 11 }, 'settings.signalThreshold'],
      [{ customSignalKeywords: [''] }, 'settings.customSignalKeywords.0'],
      [{ extraction: 'magic' }, 'settings.extraction'],
      [{ retention: { turnsDays: 0 } }, 'settings.retention.turnsDays'],
      [{ sessionProfiles: { deep: { maxFacts: 21 } } }, 'settings.sessionProfiles.deep.maxFacts'],
      [{ dedup: { supersede: 0.99 } }, 'settings.dedup.supersede'],
    ] as const) {
      const { status, body } = await set(agent, settings)
      expect([status, Object.keys(body.fields as object)]).toEqual([400, [field]])
    }
  })

  it('reject a language model that the server does not have', async () => {
    const { status, body } = await set(await start(), { extraction: 'llm' })
    expect([status, body.error]).toEqual([400, expect.stringContaining('HOLDFAST_EXTRACTION_URL')])
  })

  it('can be changed by only one of two that expected the same version', async () => {
    const agent = await start()
    const answers = await Promise.all([0.1, 0.3].map((threshold) => set(agent, { threshold }, { expectedVersion: 1 })))
    expect(answers.map(({ status }) => status).toSorted(ascending)).toEqual([200, 409])
  })

  it('lose none of several concurrent changes', async () => {
    const agent = await start()
    const patches = [
      { threshold: 0.1 },
      { diversity: 0.2 },
      { decayHalfLife: 3 },
      { signalThreshold: 4 },
      { defaultMode: 'deep' },
    ]
    await Promise.all(patches.map((patch) => set(agent, patch)))
    expect(await get(agent)).toMatchObject({ version: 6, settings: Object.assign({}, ...patches) as object })
  })

  it('belong to one vault', async () => {
    const agent = await start()
    const vaultId = await makeVault(test(), agent.user)
    await set(agent, { threshold: 0.9 })
    expect((await get(agent, { vaultId })).settings).toEqual(defaultSettings)
    const writer = await startAgent(test(), { user: agent.user, preset: 'read_write' })
    expect((await set(writer, { threshold: 0.1 })).status).toBe(403)
    expect((await get(writer)).settings).toMatchObject({ threshold: 0.9 })
  })
})

describe('overrides', () => {
  it('keep nothing for empty values', () => {
    const patched = patchSettings({ dedup: { supersede: 0.9 } }, { dedup: { supersede: null }, threshold: 0.3 })
    expect(patched).toEqual({ threshold: 0.3 })
    expect(withDefaults(patched)).toMatchObject({ threshold: 0.3, dedup: defaultSettings.dedup })
  })

  it('leave the defaults unchanged', () => {
    const before = JSON.stringify(defaultSettings)
    withDefaults({ dedup: { supersede: 0.1 }, retention: { turnsDays: 3 } })
    expect(JSON.stringify(defaultSettings)).toBe(before)
  })
})
