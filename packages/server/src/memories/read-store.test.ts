import { expect, it } from 'vitest'
import { insertVaultRow, useTestDatabase } from '../../test/database.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVaultScope, type VaultScope } from '../../test/vault-scopes.ts'
import { newId } from '../core/ids.ts'
import type { Database } from '../db/dialect.ts'
import { lockVaultRow } from '../vault-index/stored/store.ts'
import type { Memory } from './memory.ts'
import { deleteMemories } from './purge-store.ts'
import { addReads } from './read-store.ts'
import { findMemories, insertMemory } from './store.ts'

const memoryIn = ({ id }: VaultScope, reads: Pick<Memory, 'accessCount' | 'lastAccessedAt'>): Memory => ({
  memoryId: newId(),
  vaultId: id,
  memoryType: 'fact',
  content: 'Tides turn at noon.',
  importance: 3,
  confidence: 4,
  supersedesId: undefined,
  supersededById: undefined,
  archivedAt: undefined,
  expiresAt: undefined,
  occurredAt: 1,
  integrationId: undefined,
  contentRevision: 1,
  version: 1,
  createdAt: 1,
  updatedAt: 1,
  head: { entities: [], sourceNoteIds: [], metadata: {}, route: 'write-memory' },
  ...reads,
})

const unread = { accessCount: 0, lastAccessedAt: undefined }

eachDialect('counting reads', (dialect) => {
  const open = useTestDatabase(dialect)

  async function createVault(): Promise<VaultScope> {
    const scope = makeVaultScope()
    await insertVaultRow(open(), scope)
    return scope
  }

  async function insert(
    scope: VaultScope,
    reads: Pick<Memory, 'accessCount' | 'lastAccessedAt'> = unread,
  ): Promise<string> {
    const memory = memoryIn(scope, reads)
    await open().write((tx) => insertMemory(tx, scope, memory))
    return memory.memoryId
  }

  const use = (scope: VaultScope, id: string, at: number, count: number) => ({
    userId: scope.userId,
    vaultId: scope.id,
    id,
    at,
    count,
  })

  const countsIn = async (scope: VaultScope, ids: readonly string[]) =>
    new Map(
      (await findMemories(open().read, scope, ids)).map((one) => [
        one.memoryId,
        [one.accessCount, one.lastAccessedAt] as const,
      ]),
    )

  const rowsIn = (...scopes: VaultScope[]) =>
    open()
      .read.selectFrom('memoryReads')
      .selectAll()
      .where(
        'userId',
        'in',
        scopes.map(({ userId }) => userId),
      )
      .execute()

  it('adds to the memories of several vaults at once, whether or not they were read before', async () => {
    const [one, other] = [await createVault(), await createVault()]
    const [a, b, c, d] = [await insert(one), await insert(one), await insert(other), await insert(other)]
    expect(await addReads(open(), [use(one, a, 10, 2), use(other, c, 20, 1)])).toBeUndefined()
    const again = [use(one, a, 5, 1), use(one, b, 30, 4), use(other, c, 40, 3)]
    expect(await addReads(open(), again)).toBeUndefined()
    expect(await countsIn(one, [a, b])).toEqual(
      new Map([
        [a, [3, 10]],
        [b, [4, 30]],
      ]),
    )
    expect(await countsIn(other, [c, d])).toEqual(
      new Map([
        [c, [4, 40]],
        [d, [0, undefined]],
      ]),
    )
    expect(await rowsIn(one, other)).toHaveLength(3)
  })

  it('adds to the reads that an import brought, which may have no time', async () => {
    const scope = await createVault()
    const id = await insert(scope, { accessCount: 7, lastAccessedAt: undefined })
    expect(await countsIn(scope, [id])).toEqual(new Map([[id, [7, undefined]]]))
    await addReads(open(), [use(scope, id, 10, 1)])
    expect(await countsIn(scope, [id])).toEqual(new Map([[id, [8, 10]]]))
  })

  it('stops at the greatest count, and counts the others', async () => {
    const scope = await createVault()
    const [full, other] = [
      await insert(scope, { accessCount: 2_147_483_646, lastAccessedAt: undefined }),
      await insert(scope, { accessCount: 1, lastAccessedAt: undefined }),
    ]
    for (const at of [10, 20]) await addReads(open(), [use(scope, full, at, 5), use(scope, other, at, 5)])
    expect(await countsIn(scope, [full, other])).toEqual(
      new Map([
        [full, [2_147_483_647, 20]],
        [other, [11, 20]],
      ]),
    )
  })

  it('stores nothing for memories and vaults that do not exist', async () => {
    const [scope, other] = [await createVault(), await createVault()]
    const id = await insert(scope)
    const gone = makeVaultScope()
    const used = [use(scope, newId(), 1, 1), use(other, id, 1, 1), use(gone, id, 1, 1)]
    expect(await addReads(open(), used)).toBeUndefined()
    expect(await rowsIn(scope, other, gone)).toEqual([])
  })

  it('leaves no row behind a memory that is deleted at the same time', async () => {
    const scope = await createVault()
    const [first, known] = [await insert(scope), await insert(scope)]
    await addReads(open(), [use(scope, known, 1, 1)])
    let adding: Promise<unknown> | undefined
    await open().write(async (tx) => {
      await lockVaultRow(tx, scope.userId, scope.id)
      adding ??= addReads(open(), [use(scope, first, 2, 1), use(scope, known, 2, 1)])
      // Until the other transaction waits, where there can be two.
      if (open().dialect === 'postgres')
        await tx.selectNoFrom(({ fn, val }) => fn('pg_sleep', [val(0.2)]).as('s')).execute()
      await deleteMemories(tx, scope, 1, [first, known])
    })
    await adding
    expect(await rowsIn(scope)).toEqual([])
  })

  it('keeps what it could not write, counts the rest once, and stops after three vaults that fail', async () => {
    const vaults = [await createVault(), await createVault(), await createVault()]
    const ids = await Promise.all(vaults.map((scope) => insert(scope)))
    const used = vaults.map((scope, at) => use(scope, ids[at] ?? '', 1, 1))
    const planted = new Error('planted')
    const failing: Database = {
      ...open(),
      write: (work, lane) => (lane === vaults[1]?.id ? Promise.reject(planted) : open().write(work, lane)),
    }
    const left = await addReads(failing, used)
    expect(left).toEqual({ rows: used.slice(1, 2), error: planted })
    expect((await rowsIn(...vaults)).map(({ accessCount }) => accessCount)).toEqual([1, 1])
    await addReads(open(), left?.rows ?? [])
    expect((await rowsIn(...vaults)).map(({ accessCount }) => accessCount)).toEqual([1, 1, 1])
    const attempts: string[] = []
    const down: Database = {
      ...open(),
      write: (work, lane) =>
        lane === undefined ? open().write(work) : Promise.reject(new Error(attempts[attempts.push(lane) - 1])),
    }
    const others = await Promise.all(Array.from({ length: 5 }, createVault))
    const firsts = await Promise.all(others.map(async (scope) => use(scope, await insert(scope), 1, 1)))
    expect((await addReads(down, firsts))?.rows).toEqual(firsts)
    expect(attempts).toHaveLength(3)
  })
})
