import { z } from 'zod'
import { confinedTo, scopesIn } from '../auth/vault-access.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { page, pageOf } from '../operation/page.ts'
import { countRecords } from './count-store.ts'
import { describeVault, exampleVault, openVaults, vaultRecord } from './vault.ts'

export const listVaults = operation({
  name: 'list-vaults',
  for: { agent: { scopes: ['read'] } },
  vault: 'all',
  summary: 'List the vaults that this key can read, with counts, the default vault first.',
  effect: 'read',
  input: z.object({ limit: fields.limit, offset: fields.offset, ...fields.common }),
  output: z.looseObject({
    vaults: z.array(vaultRecord),
    ...page,
  }),
  examples: { input: {}, output: { vaults: [exampleVault], total: 1, limit: 20, offset: 0, hasMore: false } },
  async run({ limit, offset }, { actor, db, keyring, mek, now }) {
    const open = await openVaults(db.read, keyring, actor, mek, confinedTo(actor))
    const readable = open.filter((vault) => scopesIn(actor, vault.vaultId).includes('read'))
    const shown = readable.slice(offset, offset + limit)
    const ids = shown.map(({ vaultId }) => vaultId)
    const counts = await countRecords(db.read, actor.userId, ids, now())
    return {
      vaults: shown.map((vault) => describeVault(vault, counts, actor.grants.get(vault.vaultId) ?? actor.preset)),
      ...pageOf({ limit, offset }, readable.length),
    }
  },
})
