import { z } from 'zod'
import { confinedTo, scopesOf } from '../auth/vault-access.ts'
import { missingScope, ServiceError } from '../core/errors.ts'
import { isoTime } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { createVault as create, vaultFields } from './vault.ts'

export const createVault = operation({
  name: 'create-vault',
  for: { agent: { scopes: ['write'] } },
  vault: 'all',
  summary: 'Create a vault: a separate space for memories with a key of its own.',
  effect: 'write',
  changes: ['vaults'],
  input: z.object({ ...vaultFields, ...fields.common }),
  output: z.looseObject({ vaultId: z.uuid(), created: z.boolean(), name: z.string(), createdAt: fields.timestamp }),
  examples: {
    input: { name: 'Garden', description: 'Plants, seasons, tools' },
    output: {
      vaultId: '0198c5f0-0000-7000-8000-000000000002',
      created: true,
      name: 'Garden',
      createdAt: '2026-11-21T09:00:00.000Z',
    },
  },
  created: () => true,
  async run({ name, description }, { actor, db, keyring, mek, now }) {
    // A confined key could not use what it made; a wider preset in some other vault gives no right here.
    if (confinedTo(actor) !== undefined)
      throw new ServiceError(
        'scope_denied',
        'SCOPE_DENIED: this key is restricted to certain vaults and cannot create another',
      )
    if (!scopesOf(actor.preset).includes('write')) throw missingScope('write')
    const at = now()
    const owner = { userId: actor.userId, mek, mekVersion: actor.mekVersion }
    const vaultId = await db.write((tx) =>
      create(tx, keyring, owner, { profile: { name, description }, isDefault: false, at }),
    )
    return { vaultId, created: true, name, createdAt: isoTime(at) }
  },
})
