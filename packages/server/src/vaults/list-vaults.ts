import { z } from 'zod'
import { confinedTo, scopesIn } from '../auth/vault-access.ts'
import { notFound } from '../core/errors.ts'
import { isoTimeOrNull } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { page, pageOf } from '../operation/page.ts'
import { countRecords } from './count-store.ts'
import { findLastWrites, findVaultOfRecord } from './record-store.ts'
import { describeVault, exampleVault, openVaults, ownVaultId, presetIn, vaultRecord } from './vault.ts'

export const vaultList = z.looseObject({ vaults: z.array(vaultRecord), ...page })

export const listVaults = operation({
  name: 'list-vaults',
  for: { agent: { toolset: 'vaults', scopes: ['read'] }, person: 'GET /api/vaults' },
  vault: 'all',
  summary: 'List the vaults that you can read, with counts, the default vault first.',
  effect: 'read',
  outdatedBy: ['vaults', 'memories', 'notes', 'tasks'],
  about: ({ id }) => refs('vault', id),
  input: z.object({
    id: ownVaultId.optional().describe('Only this vault.'),
    recordId: z
      .uuid()
      .optional()
      .describe('Only the vault that contains this memory, task or note. None if no vault does.'),
    limit: fields.limit,
    offset: fields.offset,
    ...fields.common,
  }),
  output: vaultList,
  examples: { input: {}, output: { vaults: [exampleVault], total: 1, limit: 20, offset: 0, hasMore: false } },
  async run({ id, recordId, limit, offset }, { actor, db, instance, keyring, mek, now }) {
    const confined = actor.kind === 'agent' ? confinedTo(actor) : undefined
    const only = recordId === undefined ? undefined : await findVaultOfRecord(db.read, actor.userId, recordId)
    const open = await openVaults(db.read, { keyring, actor, mek, instance }, confined)
    const readable = open.filter(
      ({ vaultId }) =>
        (id === undefined || vaultId === id) &&
        (recordId === undefined || vaultId === only) &&
        (actor.kind === 'person' || scopesIn(actor, vaultId).includes('read')),
    )
    if (id !== undefined && readable.length === 0) throw notFound('Vault')
    const shown = readable.slice(offset, offset + limit)
    const ids = shown.map(({ vaultId }) => vaultId)
    const counts = await countRecords(db.read, actor.userId, ids, now())
    const writes = await findLastWrites(db.read, actor.userId, ids)
    return {
      vaults: shown.map((vault) => ({
        ...describeVault(vault, counts, presetIn(actor, vault.vaultId)),
        lastWriteAt: isoTimeOrNull(writes.get(vault.vaultId)),
      })),
      ...pageOf({ limit, offset }, readable.length),
    }
  },
})
