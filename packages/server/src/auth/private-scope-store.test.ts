import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeUser } from '../../test/factories.ts'
import { sealText, openText, type CellAddress } from '../crypto/cell.ts'
import { newId } from '../core/ids.ts'
import { ensurePrivateScope, findPrivateScope } from './private-scope-store.ts'

eachDialect("a user's own scope", (dialect) => {
  it('has one key, even after several concurrent first uses', async () => {
    const test = await startTestApp({ dialect })
    const { db, keyring } = test.app.services
    const user = await makeUser(test)
    expect(await findPrivateScope(db.read, keyring, user)).toBeUndefined()
    const made = await Promise.all(
      [1, 2, 3, 4].map((at) => db.write((tx) => ensurePrivateScope(tx, keyring, user, at))),
    )
    const rows = await db.read.selectFrom('vaultKeys').selectAll().where('scopeId', '=', user.userId).execute()
    expect(rows).toHaveLength(1)
    const address: CellAddress = {
      userId: user.userId,
      scopeId: user.userId,
      table: 'things',
      rowId: user.userId,
      column: 'text',
      revision: 1,
    }
    const found = await findPrivateScope(db.read, keyring, user)
    for (const keys of made)
      expect(found && openText(found, 'content', address, sealText(keys, 'content', address, 'mine'))).toBe('mine')
  })

  it('is not created for a user who was deleted in the meantime', async () => {
    const test = await startTestApp({ dialect })
    const { db, keyring } = test.app.services
    const user = { ...(await makeUser(test)), userId: newId() }
    const creating = db.write((tx) => ensurePrivateScope(tx, keyring, user, 1))
    await expect(creating).rejects.toMatchObject({ code: 'not_found' })
  })

  it("cannot be opened as another user's, nor as a vault", async () => {
    const test = await startTestApp({ dialect })
    const { db, keyring } = test.app.services
    const [user, other] = [await makeUser(test), await makeUser(test)]
    await db.write((tx) => ensurePrivateScope(tx, keyring, user, 1))
    const [wrapped] = await db.read.selectFrom('vaultKeys').selectAll().where('scopeId', '=', user.userId).execute()
    if (wrapped === undefined) throw new Error('the key was not made')
    expect(() => keyring.privateScope(other.mek, other.userId, [wrapped])).toThrow('does not belong')
    expect(() => keyring.vault(user.mek, user.userId, user.userId, [wrapped])).toThrow('does not belong')
  })
})
