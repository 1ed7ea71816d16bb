import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { createVault, describeVault, exampleVault, getVault, vaultFields, vaultRecord } from './vault.ts'

export const addVault = operation({
  name: 'add-vault',
  for: { person: 'POST /api/vaults' },
  summary: 'Make a vault: a separate space for memories with a key of its own.',
  effect: 'write',
  changes: ['vaults'],
  input: z.object(vaultFields),
  output: z.looseObject({ vault: vaultRecord }),
  returns: ({ vault }) => refs('vault', vault.id),
  examples: {
    input: { name: 'Garden' },
    output: { vault: { ...exampleVault, name: 'Garden', isDefault: false, memoryCount: 0 } },
  },
  created: () => true,
  async run({ name, description }, { actor, db, keyring, mek, now }) {
    const owner = { userId: actor.userId, mek, mekVersion: actor.mekVersion }
    const vault = await db.write(async (tx) => {
      const made = { profile: { name, description }, isDefault: false, at: now() }
      return getVault(tx, keyring, actor, mek, await createVault(tx, keyring, owner, made))
    })
    return { vault: describeVault(vault, new Map(), 'admin') }
  },
})
