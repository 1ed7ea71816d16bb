import { z } from 'zod'
import { lockUser } from '../auth/store.ts'
import { conflict } from '../core/errors.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { proofOfLastingAccess, proveIfGiven, requireProof } from '../sign-in/prove-identity.ts'
import {
  checkAccess,
  describeIntegration,
  exampleIntegration,
  integrationFields,
  integrationId,
  integrationRecord,
  type Access,
} from './integration.ts'
import { countAgentKeys } from './key-store.ts'
import { addsLastingRights } from './lasting-rights.ts'
import { getIntegration, updateIntegration as update, type Integration } from './store.ts'

const input = z.object({
  id: integrationId,
  label: integrationFields.label.optional(),
  agentType: integrationFields.agentType.nullable().optional().describe('Kind of agent; null clears it.'),
  agentId: integrationFields.agentId.nullable().optional().describe('Name of the agent; null clears it.'),
  agentIds: integrationFields.agentIds.optional(),
  actsAs: integrationFields.actsAs.optional().describe('Replaces the whole list of other agents that it can act as.'),
  preset: integrationFields.preset.optional(),
  restrictToVault: integrationFields.restrictToVault.optional(),
  vaults: integrationFields.vaults.optional().describe('Replaces the whole access list.'),
  primaryVaultId: integrationFields.primaryVaultId
    .nullable()
    .optional()
    .describe("Used when a call doesn't name a vault; null for none."),
  isActive: integrationFields.isActive.optional(),
  writePolicy: integrationFields.writePolicy.optional(),
  expectedVersion: fields.expectedVersion,
  ...proofOfLastingAccess,
})

type Patch = z.output<typeof input>

export const updateIntegration = operation({
  name: 'update-integration',
  for: { person: 'PATCH /api/integrations' },
  summary: 'Update an integration. The change applies from the next call.',
  effect: 'write',
  // The names of agents next to what they wrote, too.
  changes: ['agents', 'memories', 'tasks', 'notes', 'documents', 'messages'],
  about: ({ id }) => refs('integration', id),
  input,
  output: z.looseObject({ integration: integrationRecord }),
  examples: {
    input: { id: exampleIntegration.id, preset: 'read_only' },
    output: { integration: { ...exampleIntegration, preset: 'read_only', version: 2 } },
  },
  async run(patch, ctx) {
    const { actor, db, instance, now } = ctx
    const { userId } = actor
    const proven = await proveIfGiven(ctx, patch)
    const changed = await db.write(async (tx) => {
      await lockUser(tx, userId)
      const before = await getIntegration(tx, instance, userId, patch.id)
      if (patch.expectedVersion !== undefined && patch.expectedVersion !== before.version)
        throw conflict(`The integration has version ${before.version}, not ${patch.expectedVersion}`)
      // Sealing what is left would replace its names and policy.
      if (before.profile.isDamaged === true && patch.label === undefined)
        throw conflict("This integration's stored names and settings are damaged. Give it a label again first")
      const access = accessAfter(before, patch)
      // A grant may have been deleted with its vault. That must not block changes to other fields.
      if (touchesAccess(patch)) await checkAccess(tx, userId, access)
      const after = { ...withPatch(before, patch), ...access, version: before.version + 1, updatedAt: now() }
      if (addsLastingRights(before, after)) await requireProof(tx, actor, proven)
      await update(tx, instance, after)
      return after
    })
    const uses = await countAgentKeys(db.read, userId, now())
    return { integration: describeIntegration(changed, uses.get(changed.id)) }
  },
})

const touchesAccess = ({ restrictToVault, vaults, primaryVaultId }: Patch) =>
  restrictToVault !== undefined || vaults !== undefined || primaryVaultId !== undefined

/** Clears the primary vault if the new access list excludes it, unless this update also sets it. */
function accessAfter(
  before: Integration,
  { restrictToVault, vaults, primaryVaultId }: Patch,
): Access & Pick<Integration, 'grants'> {
  const grants = vaults?.map((vault) => ({ vaultId: vault.vaultId, preset: vault.preset })) ?? before.grants
  const isRestricted = restrictToVault ?? before.restrictToVault
  const isGranted = grants.some(({ vaultId }) => vaultId === before.primaryVaultId)
  const hasLost = before.primaryVaultId !== undefined && isRestricted && !isGranted
  const kept = hasLost ? grants[0]?.vaultId : before.primaryVaultId
  return {
    restrictToVault: isRestricted,
    grants,
    primaryVaultId: primaryVaultId === undefined ? kept : (primaryVaultId ?? undefined),
  }
}

const withPatch = (
  before: Integration,
  { label, agentType, agentId, agentIds, actsAs, preset, isActive, writePolicy }: Patch,
): Integration => ({
  ...before,
  profile: {
    label: label ?? before.profile.label,
    agentType: agentType === undefined ? before.profile.agentType : (agentType ?? undefined),
    agentId: agentId === undefined ? before.profile.agentId : (agentId ?? undefined),
    agentIds: agentIds ?? before.profile.agentIds,
    actsAs: actsAs ?? before.profile.actsAs,
    writePolicy: writePolicy ?? before.profile.writePolicy,
  },
  preset: preset ?? before.preset,
  isActive: isActive ?? before.isActive,
})
