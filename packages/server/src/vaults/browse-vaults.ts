import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { page, pageOf } from '../operation/page.ts'
import { countRecords } from './count-store.ts'
import { describeVault, exampleVault, getVault, openVaults, ownVaultId, vaultRecord } from './vault.ts'

export const vaultList = z.looseObject({ vaults: z.array(vaultRecord), ...page })

export const browseVaults = operation({
  name: 'browse-vaults',
  for: { person: 'GET /api/vaults' },
  summary: 'Your vaults, the default first, or the one with an id.',
  effect: 'read',
  outdatedBy: ['vaults', 'memories', 'notes', 'tasks'],
  about: ({ id }) => refs('vault', id),
  input: z.object({
    id: ownVaultId.optional().describe('Only this one, as `vault`.'),
    limit: fields.limit,
    offset: fields.offset,
  }),
  output: z.union([vaultList, z.looseObject({ vault: vaultRecord })]),
  examples: { input: {}, output: { vaults: [exampleVault], total: 1, limit: 20, offset: 0, hasMore: false } },
  async run({ id, limit, offset }, { actor, db, keyring, mek, now }) {
    const count = (ids: string[]) => countRecords(db.read, actor.userId, ids, now())
    if (id !== undefined) {
      const vault = await getVault(db.read, keyring, actor, mek, id)
      return { vault: describeVault(vault, await count([id]), 'admin') }
    }
    const open = await openVaults(db.read, keyring, actor, mek)
    const shown = open.slice(offset, offset + limit)
    const counts = await count(shown.map(({ vaultId }) => vaultId))
    return {
      vaults: shown.map((vault) => describeVault(vault, counts, 'admin')),
      ...pageOf({ limit, offset }, open.length),
    }
  },
})
