import { expect, it } from 'vitest'
import { useTestDatabase } from '../../test/database.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVaultScope } from '../../test/vault-scopes.ts'
import { newId } from '../core/ids.ts'
import { asSealed } from '../crypto/cell.ts'
import { countPassing, listSortedIds } from './list-store.ts'

const cell = asSealed(Buffer.alloc(0))
const plain = {
  type: 'fact',
  importance: 3,
  confidence: 4,
  expiresAt: null,
  occurredAt: 0,
  supersedesId: null,
  supersededById: null,
  externalTag: null,
  head: cell,
  body: cell,
  contentRevision: 1,
  version: 1,
  integrationId: null,
  updatedAt: 0,
  taskStatus: null,
  assigneeTag: null,
  changedById: null,
  removedById: null,
}

eachDialect('memories by their reads', (dialect) => {
  const open = useTestDatabase(dialect)

  /** Many were read at the same time, and imported counts have no time. */
  async function fill(count: number) {
    const scope = makeVaultScope()
    const { id: vaultId, userId } = scope
    const memories = Array.from({ length: count }, (_, at) => ({
      ...plain,
      id: newId(),
      userId,
      vaultId,
      createdAt: at % 3,
      archivedAt: at % 5 === 0 ? 1 : null,
      lastAccessedAt: at % 4 === 0 ? undefined : at % 4 === 1 ? null : 10 + (at % 13 < 9 ? 0 : at % 13),
    }))
    await open().write(async (tx) => {
      for (let from = 0; from < count; from += 500) {
        const some = memories.slice(from, from + 500)
        await tx
          .insertInto('memories')
          .values(some.map(({ lastAccessedAt: _at, ...row }) => row))
          .execute()
        const reads = some.flatMap(({ id, lastAccessedAt }) =>
          lastAccessedAt === undefined ? [] : { userId, vaultId, memoryId: id, lastAccessedAt, accessCount: 2 },
        )
        await tx.insertInto('memoryReads').values(reads).execute()
      }
    })
    return { scope, live: memories.filter(({ archivedAt }) => archivedAt === null) }
  }

  const filter = { state: 'live', now: 5 } as const

  it('are listed by their last read, then by their age, in pages without gaps', async () => {
    const { scope, live } = await fill(2_000)
    const expected = live
      .toSorted(
        (a, b) =>
          (b.lastAccessedAt ?? 0) - (a.lastAccessedAt ?? 0) || b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1),
      )
      .map(({ id }) => id)
    const recalled = live.filter(({ lastAccessedAt }) => typeof lastAccessedAt === 'number').length
    for (const offset of [0, 30, 300, recalled - 20, recalled, expected.length - 10, expected.length])
      expect(
        await listSortedIds(open().read, scope, filter, { sort: 'recalled', limit: 40, offset }),
        String(offset),
      ).toEqual(expected.slice(offset, offset + 40))
  })

  it('are found and counted if they were never read', async () => {
    const { scope, live } = await fill(200)
    const never = live.filter(({ lastAccessedAt }) => typeof lastAccessedAt !== 'number').map(({ id }) => id)
    const asked = { ...filter, neverRecalled: true }
    expect(await countPassing(open().read, scope, asked)).toBe(never.length)
    const found = await listSortedIds(open().read, scope, asked, { sort: 'newest', limit: 500, offset: 0 })
    expect(found.toSorted()).toEqual(never.toSorted())
    expect(await listSortedIds(open().read, scope, asked, { sort: 'recalled', limit: 500, offset: 0 })).toEqual(found)
  })
})
