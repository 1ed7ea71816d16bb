import { z } from 'zod'
import { dashboardOperation } from '../operation/operation.ts'
import { createVault, describeVault, exampleVault, getVault, vaultFields, vaultRecord } from './vault.ts'

export const addVault = dashboardOperation({
  name: 'add-vault',
  method: 'POST',
  path: '/api/vaults',
  summary: 'Make a vault: a separate space for memories with a key of its own.',
  effect: 'write',
  input: z.object(vaultFields),
  output: z.looseObject({ vault: vaultRecord }),
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
