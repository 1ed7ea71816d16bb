import type { KyselyPlugin } from 'kysely'
import { expect, it } from 'vitest'
import { type Answer, useTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVault } from '../../test/factories.ts'
import { makeClock, startAgent, type TestAgent } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { isoTimeOrNull } from '../core/time.ts'
import { archiveExpired, purgeArchived } from '../memories/purge-store.ts'
import { unlockVault } from '../jobs/each-vault.ts'
import type { VaultCounts } from '../operation/context.ts'
import { countRecords } from './count-store.ts'
import { createVaultCounting } from './vault-counting.ts'

eachDialect('counts of the records of vaults', (dialect) => {
  const clock = makeClock()
  const test = useTestApp({ dialect, now: clock.now, runsJobs: false })

  /** Memories, open tasks and notes of each vault, as a list shows them. They must be those of the rows. */
  async function countExactly({ user, call }: TestAgent): Promise<string> {
    const { vaults } = (await call('list-vaults')).body as { vaults: (VaultCounts & { vaultId: string })[] }
    const ids = vaults.map(({ vaultId }) => vaultId)
    const counts = await countRecords(test().app.services.db.read, user.userId, ids, clock.now())
    for (const shown of vaults) {
      const { until: _until, lastWriteAt, ...counted } = counts.get(shown.vaultId) ?? { until: 0 }
      expect(shown).toMatchObject({ ...counted, lastWriteAt: isoTimeOrNull(lastWriteAt) })
    }
    return vaults
      .map(({ memoryCount, openTaskCount, noteCount }) => `${memoryCount} ${openTaskCount} ${noteCount}`)
      .join(', ')
  }

  it('are exact after every kind of change', async () => {
    const agent = await startAgent(test(), { preset: 'admin' })
    const { user, call, write } = agent
    const other = await makeVault(test(), user)
    const done = async (answer: Promise<Answer>) => {
      const { status, body, text } = await answer
      expect([200, 201], text).toContain(status)
      return body
    }
    const does = (name: string, body: object) => done(call(name, body))
    const personDoes = (name: string, body: object) =>
      done(test().call(name, { vaultId: user.vaultId, ...body }, { key: user.dashboardToken, audience: 'person' }))
    const { db } = test().app.services
    const vault = await unlockVault(test().app.services, user.userId, user.vaultId)
    if (vault === undefined) throw new Error('the vault is there')
    const importId = newId()
    const imported = [
      { kind: 'note', title: 'Dogs' },
      { kind: 'memory', content: 'The dog is old.', memoryType: 'fact' },
    ]
    const all = { vaultId: user.vaultId, olderThanDays: 0, maxImportance: 5, dryRun: false }
    const seen: string[] = []
    const step = async (name: string, change: Promise<unknown>) => {
      const result = await change
      seen.push(`${name}: ${await countExactly(agent)}`)
      clock.advance(1_000)
      return result
    }
    const memoryId = String(await step('write', write('The cat sleeps.')))
    const expiresAt = clock.iso(60_000)
    await step('write one that expires', write({ content: 'The dog barks.', expiresAt }))
    const { taskId } = (await step('create a task', does('create-task', { title: 'Feed the cat' }))) as {
      taskId: string
    }
    const { noteId } = (await step('create a note', does('create-note', { title: 'Cats' }))) as { noteId: string }
    await step('finish', does('update-task', { taskId, status: 'done' }))
    await step('reopen', does('update-task', { taskId, status: 'todo' }))
    await step('archive', does('archive-memory', { memoryId }))
    await step('restore', does('update-memory', { memoryId, archived: false }))
    await step('supersede', write({ content: 'The cat is awake.', supersededById: memoryId }))
    await step('trash', does('delete-note', { noteId }))
    await step('restore the note', personDoes('restore-note', { id: noteId }))
    await step('import', personDoes('import-records', { importId, records: imported }))
    await step('undo the import', personDoes('revert-import', { importId }))
    await step('move', personDoes('move-memories', { ids: [taskId], targetVaultId: other }))
    clock.advance(60_000)
    await step('expire', Promise.resolve())
    await step('archive what expired', archiveExpired(db, user.userId, user.vaultId, clock.now()))
    await step('clean up', does('cleanup-memories', all))
    await step('purge', purgeArchived(db, vault, clock.now() + 1, clock.now()))
    expect(seen).toMatchInlineSnapshot(`
      [
        "write: 1 0 0, 0 0 0",
        "write one that expires: 2 0 0, 0 0 0",
        "create a task: 3 1 0, 0 0 0",
        "create a note: 3 1 1, 0 0 0",
        "finish: 3 0 1, 0 0 0",
        "reopen: 3 1 1, 0 0 0",
        "archive: 2 1 1, 0 0 0",
        "restore: 3 1 1, 0 0 0",
        "supersede: 3 1 1, 0 0 0",
        "trash: 3 1 0, 0 0 0",
        "restore the note: 3 1 1, 0 0 0",
        "import: 4 1 2, 0 0 0",
        "undo the import: 3 1 1, 0 0 0",
        "move: 2 0 1, 1 1 0",
        "expire: 1 0 1, 1 1 0",
        "archive what expired: 1 0 1, 1 1 0",
        "clean up: 0 0 1, 1 1 0",
        "purge: 0 0 1, 1 1 0",
      ]
    `)
  })

  it('are counted once for each change of the vault, however many ask at the same time', async () => {
    const agent = await startAgent(test())
    const { userId, vaultId } = agent.user
    const other = await makeVault(test(), agent.user)
    await agent.write('The cat sleeps.')
    const { db } = test().app.services
    let queries = 0
    const counter: KyselyPlugin = {
      transformQuery({ node }) {
        queries++
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const counting = createVaultCounting({ read: db.read.withPlugin(counter) })
    const queriesFor = async (vaults: readonly { vaultId: string; seq: number }[], now = clock.now()) => {
      queries = 0
      const counts = await Promise.all(Array.from({ length: 20 }, () => counting.count(userId, vaults, now)))
      for (const count of counts) expect([...count.keys()]).toEqual(vaults.map((vault) => vault.vaultId))
      return queries
    }
    expect(await queriesFor([{ vaultId, seq: 1 }])).toBe(3)
    expect(await queriesFor([{ vaultId, seq: 1 }])).toBe(0)
    expect(await queriesFor([{ vaultId, seq: 2 }])).toBe(3)
    expect(await queriesFor([vaultId, other].map((id) => ({ vaultId: id, seq: 2 })))).toBe(3)
    await agent.write({ content: 'The dog barks.', expiresAt: clock.iso(60_000) })
    expect(await queriesFor([{ vaultId, seq: 3 }])).toBe(3)
    expect(await queriesFor([{ vaultId, seq: 3 }], clock.now() + 59_999)).toBe(0)
    expect(await queriesFor([{ vaultId, seq: 3 }], clock.now() + 60_000)).toBeGreaterThan(0)
  })

  it('are counted again after a failure', async () => {
    const { user } = await startAgent(test())
    let isDown = true
    const failing: KyselyPlugin = {
      transformQuery({ node }) {
        if (isDown) throw new Error('the database is away')
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const counting = createVaultCounting({ read: test().app.services.db.read.withPlugin(failing) })
    const count = () => counting.count(user.userId, [{ vaultId: user.vaultId, seq: 0 }], clock.now())
    await expect(count()).rejects.toThrow('away')
    isDown = false
    expect([...(await count()).values()]).toMatchObject([{ memoryCount: 0 }])
  })
})
