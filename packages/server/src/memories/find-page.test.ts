import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeUser } from '../../test/factories.ts'
import { makeClock } from '../../test/scenarios.ts'
import { newId } from '../core/ids.ts'
import { unlockVault } from '../jobs/each-vault.ts'
import { insertEntry } from '../vault-index/stored/store.ts'
import { nextSeq } from '../vaults/store.ts'
import { findPage } from './find-page.ts'
import { factsOf, prepareEntry } from './index-memory.ts'
import type { Memory } from './memory.ts'
import { insertMemory } from './store.ts'

eachDialect('a page of very many memories', (dialect) => {
  it('is the same however it is found', async () => {
    const clock = makeClock()
    const test = await startTestApp({ dialect, now: clock.now, runsJobs: false })
    const user = await makeUser(test)
    const { services } = test.app
    const unlock = async () => {
      const vault = await unlockVault(services, user.userId, user.vaultId)
      if (vault === undefined) throw new RangeError('the vault is there')
      return vault
    }
    const before = await unlock()
    const memories = Array.from({ length: 2_400 }, (_, at) => memoryAt(user.vaultId, at, clock.now()))
    // The text doesn't matter here, so one entry is enough for all memories of an agent.
    const entries = new Map<string, Awaited<ReturnType<typeof prepareEntry>>>()
    for (const memory of memories.slice(0, 24)) {
      const context = { ...services, vault: before, embeddings: undefined }
      entries.set(memory.head.agentId ?? '', await prepareEntry(context, memory))
    }
    await services.db.write(async (tx) => {
      const seq = await nextSeq(tx, before)
      for (const memory of memories) {
        const entry = entries.get(memory.head.agentId ?? '')
        if (entry === undefined) throw new RangeError('each agent has an entry')
        await insertMemory(tx, before, memory)
        await insertEntry(tx, before, seq, {
          itemId: memory.memoryId,
          facts: { ...factsOf(memory), ...entry.facts },
          entry: entry.bytes,
        })
      }
    })
    const ctx = { ...services, vault: { ...(await unlock()), scopes: [] } }
    const byAda = memories.filter(({ head }) => head.agentId === 'ada')
    const plain = { state: 'live', now: clock.now() } as const
    for (const [limit, offset] of [
      [20, 0],
      [50, 2_100],
      [50, byAda.length - 10],
    ] as const) {
      const found = await findPage(ctx, { plain, sealed: { agentId: 'ada' } }, { sort: 'updated', limit, offset })
      const expected = byAda.toSorted((a, b) => b.updatedAt - a.updatedAt).map(({ memoryId }) => memoryId)
      expect(found).toEqual({ ids: expected.slice(offset, offset + limit), total: byAda.length })
    }
  })
})

/** Most are by one agent. Each was changed at another time, in another order than they were created. */
const memoryAt = (vaultId: string, at: number, now: number): Memory => ({
  memoryId: newId(),
  vaultId,
  memoryType: 'fact',
  content: `violets ${at}`,
  importance: 3,
  confidence: 3,
  supersedesId: undefined,
  supersededById: undefined,
  archivedAt: undefined,
  expiresAt: undefined,
  occurredAt: now + at,
  integrationId: undefined,
  accessCount: 0,
  lastAccessedAt: undefined,
  contentRevision: 1,
  version: 1,
  createdAt: now + at,
  updatedAt: now + ((at * 7919) % 2_400),
  head: {
    entities: [],
    sourceNoteIds: [],
    metadata: {},
    agentId: at % 24 === 0 ? 'bob' : 'ada',
    route: 'write-memory',
  },
})
