import { array, assert, constantFrom, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeVaultScope } from '../../test/vault-scopes.ts'
import { isOtherWriter, lowestTrust, trustLevels, versionColumns, versionsToDrop } from './writer.ts'

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
    const [file, person] = [{ route: 'import' }, { agentId: 'user', route: 'update-memories' }]
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
    Array.from({ length: count }, (_, at) => ({
      version: from + at,
      integrationId,
      provenance: integrationId === null ? 'user_authored' : 'agent',
      replacedInRun: null,
    }))

  it('are all kept up to fifty', () => {
    expect(versionsToDrop(written(50, 'codex').toReversed())).toEqual([])
    expect(versionsToDrop(written(52, 'codex').toReversed())).toEqual([2, 1])
  })

  it('of each other writer, and what people wrote alone, survive any sequence of changes', () => {
    const scope = makeVaultScope()
    const person = { route: 'update-note', at: 0 }
    const member = { ...person, agentId: 'user:0198c5f0-0000-7000-8000-000000000020' }
    const file = { route: 'import', at: 0 }
    const agents = ['codex', 'claude'].map((integrationId) => ({ ...person, integrationId, agentRunId: 'a' }))
    const writers = [person, member, file, ...agents]
    const change = record({
      writer: constantFrom(...writers),
      trust: constantFrom(...trustLevels),
      times: constantFrom(1, 2, 60),
    })
    assert(
      property(array(change, { maxLength: 12 }), (changes) => {
        const texts = changes
          .flatMap(({ times, ...text }) => Array.from({ length: times }, () => text))
          .map((text, at) => ({ ...text, version: at + 1 }))
        let kept: ({ version: number } & ReturnType<typeof versionColumns>)[] = []
        for (const { version, ...text } of texts) {
          kept = [{ version, ...versionColumns(scope, { ...text, by: texts[version]?.writer }) }, ...kept]
          const dropped = versionsToDrop(kept)
          kept = kept.filter((one) => !dropped.includes(one.version))
        }
        const versions = kept.map(({ version }) => version)
        const lastOfEach = writers.map((one) => texts.findLast(({ writer }) => writer === one)?.version)
        const lastOfPeople = texts.findLast(({ writer, trust }) => writer === person && trust === 'user_authored')
        for (const last of [...lastOfEach, lastOfPeople?.version]) expect([...versions, undefined]).toContain(last)
        expect(versions.length).toBeLessThanOrEqual(60)
      }),
    )
  })

  it('keep the text before a run that changes it many times', () => {
    const [run, other] = [Buffer.from('run'), Buffer.from('other')]
    const changedIn = (replacedInRun: Buffer, count: number, from: number) =>
      written(count, 'codex', from).map((version) => ({ ...version, replacedInRun }))
    const versions = [...written(1, 'codex'), ...changedIn(other, 2, 2), ...changedIn(run, 52, 4)].toReversed()
    expect(versionsToDrop(versions)).toEqual([5, 3, 1])
    expect(versionsToDrop(changedIn(run, 52, 1).toReversed())).toEqual([2])
    const inTurn = written(56, 'codex').map((version, at) => ({ ...version, replacedInRun: at % 2 === 0 ? run : null }))
    expect(versionsToDrop(inTurn.toReversed())).toEqual([6, 5, 4, 3, 2])
    const inMany = written(200, 'codex').map((version, at) => ({ ...version, replacedInRun: Buffer.from(`run ${at}`) }))
    expect(versionsToDrop(inMany.toReversed())).toHaveLength(150)
  })
})
