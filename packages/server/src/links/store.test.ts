import { expect, it } from 'vitest'
import { useTestDatabase } from '../../test/database.ts'
import { eachDialect } from '../../test/dialects.ts'
import { foreignScopes, makeVaultScope } from '../../test/vault-scopes.ts'
import { newId } from '../core/ids.ts'
import { CellError } from '../crypto/cell.ts'
import { insertLink, listLinksFrom, type LinkScope, type NewLink } from './store.ts'
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

const insert = (db: Database, scope: LinkScope, link: NewLink, seq = 1) =>
  db.write((tx) => insertLink(tx, scope, seq, link, 1_000))

eachDialect('links store', (dialect) => {
  const open = useTestDatabase(dialect)

  it('returns what was inserted, oldest first, from the nodes asked for alone', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    const first = linkOf({ label: 'because \u0000 "of" it' })
    const second = linkOf({ sourceId: first.sourceId, relationType: 'contradicts', targetType: 'note' })
    for (const link of [first, second, linkOf()]) await insert(db, scope, link)
    const found = await listLinksFrom(db.read, scope, [first.sourceId, newId()])
    expect(found.map(({ linkId: _id, ...link }) => link)).toEqual([
      {
        sourceId: first.sourceId,
        targetType: 'memory',
        targetId: first.targetId,
        relationType: 'references',
        label: first.label,
      },
      {
        sourceId: first.sourceId,
        targetType: 'note',
        targetId: second.targetId,
        relationType: 'contradicts',
        label: undefined,
      },
    ])
    expect(await listLinksFrom(db.read, scope, [])).toEqual([])
  })

  it('keeps the first of two links with the same ends and relation', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    const link = linkOf({ label: 'first' })
    await insert(db, scope, link)
    const [before] = await listLinksFrom(db.read, scope, [link.sourceId])
    await insert(db, scope, { ...link, label: 'second', origin: 'wiki' }, 2)
    expect(await listLinksFrom(db.read, scope, [link.sourceId])).toEqual([before])
  })

  it('lets two vaults hold the same link', async () => {
    const [db, a, b, link] = [open(), makeVaultScope(), makeVaultScope(), linkOf()]
    await insert(db, a, link)
    await insert(db, b, link)
    for (const scope of [a, b]) expect(await listLinksFrom(db.read, scope, [link.sourceId])).toHaveLength(1)
  })

  it('finds nothing of another vault or another user', async () => {
    const [db, scope, link] = [open(), makeVaultScope(), linkOf({ label: 'mine' })]
    await insert(db, scope, link)
    for (const [whose, foreign] of foreignScopes(scope))
      expect([whose, await listLinksFrom(db.read, foreign, [link.sourceId])]).toEqual([whose, []])
  })

  it('refuses a label that was moved to another link or another vault', async () => {
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

  it('stores no label in the clear', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    await insert(db, scope, linkOf({ label: 'planted-label' }))
    const mine = db.read.selectFrom('links').where('vaultId', '=', scope.id)
    const { label } = await mine.select('label').executeTakeFirstOrThrow()
    expect(Buffer.from(label ?? []).includes('planted')).toBe(false)
  })
})
