import { z } from 'zod'
import { lockUser } from '../auth/store.ts'
import { conflict } from '../core/errors.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { countRecords } from './count-store.ts'
import type { StoredVault, VaultProfile } from './store.ts'
import {
  changeVault,
  describeVault,
  exampleVault,
  getVault,
  openVaults,
  vaultFields,
  ownVaultId,
  vaultRecord,
} from './vault.ts'

export const updateVault = operation({
  name: 'update-vault',
  for: { person: 'PATCH /api/vaults' },
  summary: 'Rename a vault, describe it, or make it the default.',
  effect: 'write',
  changes: ['vaults'],
  about: ({ id }) => refs('vault', id),
  input: z.object({
    id: ownVaultId,
    name: vaultFields.name.optional(),
    description: z.string().max(2000).nullable().optional().describe('What the vault is for; null clears it.'),
    isDefault: z.literal(true).optional().describe('Makes it the default instead of the current one.'),
    expectedVersion: fields.expectedVersion,
  }),
  output: z.looseObject({ vault: vaultRecord }),
  examples: {
    input: { id: exampleVault.vaultId, name: 'Work' },
    output: { vault: { ...exampleVault, name: 'Work', version: 2 } },
  },
  async run({ id, expectedVersion, ...patch }, { actor, db, instance, keyring, mek, now }) {
    const owner = { userId: actor.userId, mek }
    const at = now()
    const vault = await db.write(async (tx) => {
      await lockUser(tx, actor.userId)
      const before = await getVault(tx, { keyring, actor, mek, instance }, id)
      if (expectedVersion !== undefined && expectedVersion !== before.version)
        throw conflict(`The vault has version ${before.version}, not ${expectedVersion}. Read it again`)
      if (patch.isDefault === true)
        for (const other of await openVaults(tx, { keyring, actor, mek, instance }))
          if (other.isDefault && other.vaultId !== id)
            await changeVault(tx, { keyring, owner }, other, { isDefault: false, at })
      const isDefault = patch.isDefault ?? before.isDefault
      return changeVault(tx, { keyring, owner }, before, { profile: profileAfter(before, patch), isDefault, at })
    })
    const counts = await countRecords(db.read, actor.userId, [id], at)
    return { vault: describeVault(vault, counts, 'admin') }
  },
})

interface ProfilePatch {
  name?: string | undefined
  description?: string | null | undefined
}

const profileAfter = ({ profile }: StoredVault, { name, description }: ProfilePatch): VaultProfile => ({
  name: name ?? profile.name,
  description: description === undefined ? profile.description : (description ?? undefined),
})
