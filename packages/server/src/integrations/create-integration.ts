import { z } from 'zod'
import { lockUser } from '../auth/store.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { proofOfLastingAccess, proveIfGiven, requireProof } from '../sign-in/prove-identity.ts'
import { listVaultIds } from '../vaults/store.ts'
import {
  checkAccess,
  createIntegration as create,
  describeIntegration,
  exampleIntegration,
  integrationFields,
  integrationRecord,
} from './integration.ts'
import { hasLastingRights } from './lasting-rights.ts'

export const createIntegration = operation({
  name: 'create-integration',
  for: { person: 'POST /api/integrations' },
  summary:
    'Create an integration for an agent, and set what its keys can do and in which vaults. Then create a key with POST /api/keys.',
  effect: 'write',
  changes: ['agents'],
  input: z.object({
    label: integrationFields.label,
    agentType: integrationFields.agentType.optional(),
    agentId: integrationFields.agentId.optional(),
    agentIds: integrationFields.agentIds
      .optional()
      .describe(`${integrationFields.agentIds.description} Default: pinned if you give an agentId, else any.`),
    actsAs: integrationFields.actsAs.default([]),
    preset: integrationFields.preset,
    restrictToVault: integrationFields.restrictToVault.default(false),
    vaults: integrationFields.vaults.default([]),
    primaryVaultId: integrationFields.primaryVaultId
      .optional()
      .describe(
        "Used when a call doesn't name a vault. Default: your default vault, or the first in `vaults` if restricted.",
      ),
    isActive: integrationFields.isActive.default(true),
    writePolicy: integrationFields.writePolicy
      .optional()
      .describe(`${integrationFields.writePolicy.description} Default: ask for a person's records, yes for others.`),
    ...proofOfLastingAccess,
  }),
  output: z.looseObject({ integration: integrationRecord }),
  returns: ({ integration }) => refs('integration', integration.id),
  examples: {
    input: { label: 'Laptop', agentType: 'claude-code', preset: 'read_write' },
    output: { integration: { ...exampleIntegration, keyCount: 0 } },
  },
  created: () => true,
  async run({ label, agentType, agentId, preset, restrictToVault, vaults, primaryVaultId, isActive, ...others }, ctx) {
    const { actor, db } = ctx
    const { userId } = actor
    const grants = vaults.map((vault) => ({ vaultId: vault.vaultId, preset: vault.preset }))
    const proven = await proveIfGiven(ctx, others)
    const integration = await db.write(async (tx) => {
      await lockUser(tx, userId)
      const [defaultVaultId] = restrictToVault ? grants.map(({ vaultId }) => vaultId) : await listVaultIds(tx, userId)
      const access = { restrictToVault, grants, primaryVaultId: primaryVaultId ?? defaultVaultId }
      await checkAccess(tx, userId, access)
      const { agentIds = agentId === undefined ? 'any' : 'pinned', actsAs, writePolicy } = others
      if (hasLastingRights({ preset, ...access, writePolicy })) await requireProof(tx, actor, proven)
      const profile = { label, agentType, agentId, agentIds, actsAs, writePolicy }
      const created = await create(tx, ctx, userId, { profile, preset, isActive, ...access })
      ctx.about('integration', created.id)
      return created
    })
    return { integration: describeIntegration(integration, undefined) }
  },
})
