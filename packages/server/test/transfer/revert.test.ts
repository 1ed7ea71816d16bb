import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startTestApp } from '../app.ts'
import { eachDialect } from '../dialects.ts'
import { makeUser, makeUserWithAgent } from '../factories.ts'
import type { RecordOf } from '../../src/transfer/record.ts'
import { everythingIn, importPath, type Holder } from './passing.ts'

const fixtures = join(import.meta.dirname, 'fixtures')

eachDialect('taking an import back', (dialect) => {
  it('archives, trashes and removes what nobody has changed since, and tells the rest', async () => {
    const test = await startTestApp({ dialect })
    const user = await makeUserWithAgent(test)
    const holder: Holder = { test, ...user }
    const notes = await importPath(holder, join(fixtures, 'obsidian'))
    const graph = await importPath(holder, join(fixtures, 'server-memory.jsonl'))
    const before = await everythingIn(holder)
    const [kept] = before.note as RecordOf<'note'>[]
    await test.call('update-note', { noteId: kept?.id, content: 'Mine now' }, { key: user.key })

    const revert = async (importId: string, key = user.dashboardToken) =>
      (await test.call('revert-import', { vaultId: user.vaultId, importId }, { key })).body
    expect(await revert(notes.importId)).toMatchObject({
      trashed: 5,
      archived: 0,
      left: [{ kind: 'note', recordId: kept?.id, reason: 'was changed since' }],
      remaining: 0,
    })
    expect(await revert(graph.importId)).toMatchObject({ archived: 6, removed: 3, left: [], remaining: 0 })
    const after = await everythingIn(holder)
    expect((after.note as RecordOf<'note'>[]).filter(({ trashedAt }) => trashedAt === undefined)).toHaveLength(1)
    expect((after.memory as RecordOf<'memory'>[]).every(({ archivedAt }) => archivedAt !== undefined)).toBe(true)
    expect(after.link).toEqual([])
    const again = await importPath(holder, join(fixtures, 'obsidian'))
    expect(again.counts.note).toMatchObject({ created: 0, existing: 6 })
    expect(again.notices).toContainEqual({
      what: expect.stringContaining('but archived or in the trash'),
      count: 5,
      examples: expect.anything(),
    })
    const dry = await importPath(holder, join(fixtures, 'server-memory.jsonl'), { dryRun: true })
    expect(dry.problems).toContainEqual(
      expect.objectContaining({ kind: 'memory', reason: expect.stringMatching(/archived or in the trash here/) }),
    )
    expect(await revert(notes.importId)).toMatchObject({ trashed: 0, left: [], remaining: 0 })
    const stranger = await makeUser(test)
    expect(
      (
        await test.call(
          'revert-import',
          { vaultId: user.vaultId, importId: graph.importId },
          { key: stranger.dashboardToken },
        )
      ).status,
    ).toBe(404)
  })
})
