import type { VaultScope } from '../crypto/keys.ts'
import { expect, it } from 'vitest'
import { useTestDatabase } from '../../test/database.ts'
import { eachDialect } from '../../test/dialects.ts'
import { foreignScopes, makeVaultScope } from '../../test/vault-scopes.ts'
import { newId } from '../core/ids.ts'
import { CellError } from '../crypto/cell.ts'
import { countLinks, findLink, insertLink, listLinksFrom, removeLinks, type NewLink } from './store.ts'
import { listLinks, listNewestLinksFrom } from './graph-store.ts'
import type { Database } from '../db/dialect.ts'

const linkOf = (over: Partial<NewLink> = {}): NewLink => ({
  sourceType: 'memory',
  sourceId: newId(),
  targetType: 'memory',
  targetId: newId(),
  relationType: 'references',
  origin: 'agent',
  ...over,
})

const insert = (db: Database, scope: VaultScope, link: NewLink, seq = 1) =>
  db.write((tx) => insertLink(tx, scope, { seq, at: 1_000 }, link))

const remove = (db: Database, scope: VaultScope, linkIds: string[], seq = 9) =>
  db.write((tx) => removeLinks(tx, scope, { seq, at: 5_000 }, linkIds))

const firstPage = { limit: 20, offset: 0 }

eachDialect('links store', (dialect) => {
  const open = useTestDatabase(dialect)

  it('returns the links of only the requested nodes, oldest first', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    const first = linkOf({ label: 'because \u0000 "of" it' })
    const second = linkOf({ sourceId: first.sourceId, relationType: 'contradicts', targetType: 'note' })
    for (const link of [first, second, linkOf()]) await insert(db, scope, link)
    const found = await listLinksFrom(db.read, scope, [first.sourceId, newId()])
    expect(found.map(({ linkId: _id, ...link }) => link)).toEqual([
      { ...first, createdAt: 1_000 },
      { ...second, label: undefined, createdAt: 1_000 },
    ])
    expect(await listLinksFrom(db.read, scope, [])).toEqual([])
  })

  it('keeps the first of two links with the same ends and relation', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    const link = linkOf({ label: 'first' })
    const made = await insert(db, scope, link)
    const [before] = await listLinksFrom(db.read, scope, [link.sourceId])
    const again = await insert(db, scope, { ...link, label: 'second', origin: 'wiki' }, 2)
    expect([made, again]).toEqual([
      { linkId: before?.linkId, created: true },
      { linkId: before?.linkId, created: false },
    ])
    expect(await listLinksFrom(db.read, scope, [link.sourceId])).toEqual([before])
  })

  it('shows the newest 300 links of each of several nodes, hubs or not', async () => {
    const [db, scope, hub, other] = [open(), makeVaultScope(), newId(), newId()]
    await insert(db, scope, linkOf({ sourceId: hub }))
    const ids: string[] = []
    await db.write(async (tx) => {
      for (let n = 0; n < 300; n++)
        ids.push((await insertLink(tx, scope, { seq: 2, at: 1_000 }, linkOf({ sourceId: hub }))).linkId)
    })
    const { linkId } = await insert(db, scope, linkOf({ sourceId: other, label: 'why' }), 3)
    const shown = async (nodes: string[]) =>
      (await listNewestLinksFrom(db.read, scope, nodes)).map((link) => link.linkId)
    expect(await shown([hub])).toEqual(ids)
    expect(await shown([other, newId()])).toEqual([linkId])
    // The same next to others.
    expect(await shown([hub, other])).toEqual([...ids, linkId])
    expect(await shown([])).toEqual([])
  })

  it('lets two vaults hold the same link', async () => {
    const [db, a, b, link] = [open(), makeVaultScope(), makeVaultScope(), linkOf()]
    await insert(db, a, link)
    await insert(db, b, link)
    for (const scope of [a, b]) expect(await listLinksFrom(db.read, scope, [link.sourceId])).toHaveLength(1)
  })

  it('finds nothing in another vault or of another user', async () => {
    const [db, scope, link] = [open(), makeVaultScope(), linkOf({ label: 'mine' })]
    const { linkId } = await insert(db, scope, link)
    for (const [whose, foreign] of foreignScopes(scope)) {
      expect([whose, await listLinksFrom(db.read, foreign, [link.sourceId])]).toEqual([whose, []])
      const page = await listLinks(db.read, foreign, { nodeId: link.sourceId, direction: 'both' }, firstPage)
      expect([whose, page]).toEqual([whose, { links: [], total: 0 }])
      expect([whose, await findLink(db.read, foreign, { linkId })]).toEqual([whose, undefined])
      expect([whose, await findLink(db.read, foreign, link)]).toEqual([whose, undefined])
      expect([whose, await countLinks(db.read, foreign, [link.sourceId])]).toEqual([
        whose,
        new Map([[link.sourceId, { out: 0, in: 0 }]]),
      ])
      expect([whose, await remove(db, foreign, [linkId])]).toEqual([whose, 0])
    }
    expect(await listLinksFrom(db.read, scope, [link.sourceId])).toHaveLength(1)
  })

  it('does not find a removed link, and creates it again with another id', async () => {
    const [db, scope, link] = [open(), makeVaultScope(), linkOf({ label: 'first' })]
    const { linkId } = await insert(db, scope, link)
    const node = { nodeId: link.sourceId, direction: 'both' } as const
    expect([await remove(db, scope, [linkId], 2), await remove(db, scope, [linkId], 3)]).toEqual([1, 0])
    expect(await listLinksFrom(db.read, scope, [link.sourceId])).toEqual([])
    expect(await listLinks(db.read, scope, node, firstPage)).toEqual({ links: [], total: 0 })
    expect([await findLink(db.read, scope, { linkId }), await findLink(db.read, scope, link)]).toEqual([
      undefined,
      undefined,
    ])
    const row = await db.read.selectFrom('links').selectAll().where('id', '=', linkId).executeTakeFirst()
    expect(row).toMatchObject({ seq: 2, removedAt: 5_000, label: null })

    const again = await insert(db, scope, { ...link, label: 'second', origin: 'wiki' }, 4)
    expect(again).toEqual({ linkId: expect.not.stringMatching(linkId), created: true })
    expect(await listLinks(db.read, scope, node, firstPage)).toMatchObject({
      links: [{ linkId: again.linkId, label: 'second', origin: 'wiki' }],
      total: 1,
    })
    expect(await remove(db, scope, [linkId])).toBe(0)
  })

  it('knows a link by its idempotency key until it is removed', async () => {
    const [db, scope, link] = [open(), makeVaultScope(), linkOf()]
    const { linkId } = await insert(db, scope, link)
    const find = (externalWriteId: string) => findLink(db.read, scope, { externalWriteId })
    expect(await find('a')).toBeUndefined()
    // A repeat stores its key for the existing link, unless the link has one.
    await insert(db, scope, { ...link, externalWriteId: 'a' }, 2)
    await insert(db, scope, { ...link, externalWriteId: 'b' }, 3)
    expect([(await find('a'))?.linkId, await find('b')]).toEqual([linkId, undefined])
    await remove(db, scope, [linkId], 4)
    expect(await find('a')).toBeUndefined()
    await insert(db, scope, linkOf({ externalWriteId: 'a' }), 5)
    expect(await find('a')).toMatchObject({ relationType: 'references' })
  })

  it('lists the links of a node by direction and relation, newest first, a page at a time', async () => {
    const [db, scope, node] = [open(), makeVaultScope(), newId()]
    const out = await insert(db, scope, linkOf({ sourceId: node, relationType: 'refines' }))
    const inward = await insert(db, scope, linkOf({ targetId: node, relationType: 'part_of' }))
    const newest = await insert(db, scope, linkOf({ sourceId: node, relationType: 'part_of' }))
    await insert(db, scope, linkOf())
    const ids = async (over: Partial<Parameters<typeof listLinks>[2]>, page = firstPage) => {
      const { links, total } = await listLinks(db.read, scope, { nodeId: node, direction: 'both', ...over }, page)
      return [links.map(({ linkId }) => linkId), total]
    }
    expect(await ids({})).toEqual([[newest.linkId, inward.linkId, out.linkId], 3])
    expect(await ids({ direction: 'outgoing' })).toEqual([[newest.linkId, out.linkId], 2])
    expect(await ids({ direction: 'incoming' })).toEqual([[inward.linkId], 1])
    expect(await ids({ relationTypes: ['part_of'] })).toEqual([[newest.linkId, inward.linkId], 2])
    expect(await ids({ relationTypes: ['manual'] })).toEqual([[], 0])
    expect(await ids({}, { limit: 1, offset: 1 })).toEqual([[inward.linkId], 3])
    expect(await ids({}, { limit: 2, offset: 5 })).toEqual([[], 3])
    expect(await countLinks(db.read, scope, [node, scope.id])).toEqual(
      new Map([
        [node, { out: 2, in: 1 }],
        [scope.id, { out: 0, in: 0 }],
      ]),
    )
  })

  it('rejects a label that was moved to another link or vault', async () => {
    const [db, scope, other] = [open(), makeVaultScope(), makeVaultScope()]
    const [a, b] = [linkOf({ label: 'a' }), linkOf({ label: 'b' })]
    await insert(db, scope, a)
    await insert(db, scope, b)
    await insert(db, other, linkOf({ label: 'c', sourceId: a.sourceId }))
    const rows = await db.read.selectFrom('links').selectAll().execute()
    const labelOf = (sourceId: string, vaultId: string) =>
      rows.find((row) => row.sourceId === sourceId && row.vaultId === vaultId)?.label
    for (const label of [labelOf(b.sourceId, scope.id), labelOf(a.sourceId, other.id)]) {
      await db.write((tx) =>
        tx
          .updateTable('links')
          .set({ label })
          .where('sourceId', '=', a.sourceId)
          .where('vaultId', '=', scope.id)
          .execute(),
      )
      await expect(listLinksFrom(db.read, scope, [a.sourceId])).rejects.toThrow(CellError)
    }
    expect(await listLinksFrom(db.read, scope, [b.sourceId])).toMatchObject([{ label: 'b' }])
  })

  it('stores no label unencrypted', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    await insert(db, scope, linkOf({ label: 'planted-label' }))
    const mine = db.read.selectFrom('links').where('vaultId', '=', scope.id)
    const { label } = await mine.select('label').executeTakeFirstOrThrow()
    expect(Buffer.from(label ?? []).includes('planted')).toBe(false)
  })
})
