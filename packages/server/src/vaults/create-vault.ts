import { z } from 'zod'
import type { Actor } from '../auth/actor.ts'
import { lockUser } from '../auth/store.ts'
import { confinedTo, scopesOf } from '../auth/vault-access.ts'
import { missingScope, ServiceError } from '../core/errors.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import {
  createVault as create,
  describeVault,
  exampleVault,
  getVault,
  openVaults,
  presetIn,
  refuseTakenName,
  vaultFields,
  vaultRecord,
} from './vault.ts'

const id = '0198c5f0-0000-7000-8000-000000000002'

export const createVault = operation({
  name: 'create-vault',
  for: { agent: { toolset: 'vaults', scopes: ['write'] }, person: 'POST /api/vaults' },
  vault: 'all',
  summary: 'Create a vault: a separate space for memories with its own key.',
  effect: 'write',
  changes: ['vaults'],
  input: z.object({ ...vaultFields, ...fields.common }),
  output: vaultRecord.extend({ created: z.boolean() }),
  returns: ({ vaultId }) => refs('vault', vaultId),
  examples: {
    input: { name: 'Garden', description: 'Plants, seasons, tools' },
    output: {
      ...exampleVault,
      vaultId: id,
      id,
      name: 'Garden',
      description: 'Plants, seasons, tools',
      isDefault: false,
      memoryCount: 0,
      created: true,
    },
  },
  created: () => true,
  async run({ name, description }, { actor, db, instance, keyring, mek, now, about }) {
    refuseConfined(actor)
    const owner = { userId: actor.userId, mek }
    const vault = await db.write(async (tx) => {
      if (actor.kind === 'person') {
        await lockUser(tx, actor.userId)
        refuseTakenName(await openVaults(tx, { keyring, actor, mek, instance }), name)
      }
      const made = { profile: { name, description }, isDefault: false, at: now() }
      const vaultId = await create(tx, keyring, owner, made)
      about('vault', vaultId)
      return getVault(tx, { keyring, actor, mek, instance }, vaultId)
    })
    return { ...describeVault(vault, new Map(), presetIn(actor, vault.vaultId)), created: true }
  },
})

/** An agent that is limited to certain vaults couldn't use the new one. Its preset in another vault doesn't count here. */
function refuseConfined(actor: Actor): void {
  if (actor.kind === 'person') return
  if (confinedTo(actor) !== undefined)
    throw new ServiceError(
      'scope_denied',
      'SCOPE_DENIED: this key is restricted to certain vaults and cannot create another',
    )
  if (!scopesOf(actor.preset).includes('write')) throw missingScope('write')
}
