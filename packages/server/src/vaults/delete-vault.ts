import { z } from 'zod'
import { lockUser } from '../auth/store.ts'
import { forbidden, invalid, notFound } from '../core/errors.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { destroyKeys } from './erase-store.ts'
import { finishErasure } from './finish-erasure.ts'
import { changeVault, exampleVault, openVaults, ownVaultId } from './vault.ts'
import { listGuests } from './member-store.ts'

export const deleteVault = operation({
  name: 'delete-vault',
  for: { person: 'DELETE /api/vaults' },
  summary:
    'Delete a vault with everything in it permanently; its keys are destroyed first. You cannot delete your only vault.',
  effect: 'destructive',
  changes: ['vaults'],
  about: ({ id }) => refs('vault', id),
  input: z.object({
    id: ownVaultId,
    name: z.string().describe("The vault's exact name, to prevent mistakes; its id if it is damaged."),
  }),
  output: z.looseObject({ id: z.uuid(), deleted: z.literal(true) }),
  examples: {
    input: { id: exampleVault.vaultId, name: exampleVault.name },
    output: { id: exampleVault.vaultId, deleted: true },
  },
  async run({ id, name }, { actor, db, instance, keyring, mek, indexes, noteTitles, backups, news, now }) {
    const owner = { userId: actor.userId, mek }
    const opener = { keyring, actor, mek, instance }
    const guests = await db.write(async (tx) => {
      await lockUser(tx, actor.userId)
      const vaults = await openVaults(tx, opener)
      const vault = vaults.find(({ vaultId }) => vaultId === id)
      if (vault === undefined) throw notFound('Vault')
      if (vault.profile.name !== name) throw invalid({ name: "is not the vault's name; type it exactly" })
      const next = vaults.find(({ vaultId, isDamaged }) => vaultId !== id && isDamaged !== true)
      if (next === undefined) throw forbidden('This is your only vault. Create another one first')
      const affected = await listGuests(tx, { userId: actor.userId, vaultId: id })
      await destroyKeys(tx, actor.userId, id, now())
      if (vault.isDefault) await changeVault(tx, { keyring, owner }, next, { isDefault: true, at: now() })
      return affected
    })
    for (const personId of guests) news.announce(personId, undefined, ['vaults'])
    indexes.forget(id)
    noteTitles.forget(id)
    await finishErasure({ db, backups }, { userId: actor.userId, id })
    return { id, deleted: true } as const
  },
})
