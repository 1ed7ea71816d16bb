import { describe, expect, it } from 'vitest'
import { isOtherWriter, lowestTrust, versionsToDrop } from './writer.ts'

describe('trust', () => {
  it('is that of the least trusted writer', () => {
    expect(lowestTrust('user_authored', 'agent_authored')).toBe('agent_authored')
    expect(lowestTrust('imported', 'agent_authored')).toBe('imported')
    expect(lowestTrust('user_authored', 'user_authored')).toBe('user_authored')
  })
})

describe('another writer', () => {
  const codex = { integrationId: 'codex', agentRunId: 'a', route: 'update-memory', at: 0 }

  it('is another integration, a person, or the same integration in another run', () => {
    expect(isOtherWriter(codex, { ...codex, integrationId: 'claude' })).toBe(true)
    expect(isOtherWriter(codex, { ...codex, integrationId: undefined })).toBe(true)
    expect(isOtherWriter(codex, { ...codex, agentRunId: 'b' })).toBe(true)
  })

  it('is never the same person: people have no runs', () => {
    const person = { agentId: 'user', route: 'update-memory' }
    expect(isOtherWriter({ ...person, agentRunId: 'a' }, person)).toBe(false)
    expect(isOtherWriter(person, codex)).toBe(true)
  })

  it('is a person for the text of a file, and an importer for a person’s text', () => {
    const [file, person] = [{ route: 'import' }, { agentId: 'user', route: 'rate-memories' }]
    expect(isOtherWriter(file, person)).toBe(true)
    expect(isOtherWriter(person, file)).toBe(true)
    expect(isOtherWriter(file, { route: 'import-task' })).toBe(false)
  })

  it('is not the same integration under another name', () => {
    expect(isOtherWriter(codex, { ...codex, agentId: 'planner' })).toBe(false)
  })
})

describe('former texts', () => {
  const written = (count: number, integrationId: string | null, from = 1) =>
    Array.from({ length: count }, (_, at) => ({ version: from + at, integrationId, replacedInRun: null }))

  it('are all kept up to fifty', () => {
    expect(versionsToDrop(written(50, 'codex').toReversed())).toEqual([])
    expect(versionsToDrop(written(52, 'codex').toReversed())).toEqual([2, 1])
  })

  it('of each other writer survive any number of changes', () => {
    const versions = [...written(2, null), ...written(1, 'claude', 3), ...written(60, 'codex', 4)].toReversed()
    const dropped = new Set(versionsToDrop(versions))
    expect(versions.filter(({ version }) => !dropped.has(version)).map(({ version }) => version)).toEqual([
      ...written(50, 'codex', 14)
        .map(({ version }) => version)
        .toReversed(),
      3,
      2,
    ])
  })

  it('keep the text before a run that changes it many times', () => {
    const [run, other] = [Buffer.from('run'), Buffer.from('other')]
    const changedIn = (replacedInRun: Buffer, count: number, from: number) =>
      written(count, 'codex', from).map((version) => ({ ...version, replacedInRun }))
    const versions = [...written(1, 'codex'), ...changedIn(other, 2, 2), ...changedIn(run, 52, 4)].toReversed()
    expect(versionsToDrop(versions)).toEqual([5, 3, 2, 1])
    expect(versionsToDrop(changedIn(run, 52, 1).toReversed())).toEqual([2])
  })
})
