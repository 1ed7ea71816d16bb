import { z } from 'zod'
import { confinedTo, defaultVault, presets, scopesIn } from '../auth/vault-access.ts'
import { defaultWritePolicy } from '../auth/write-policy.ts'
import { operation } from '../operation/operation.ts'
import { openProfile } from '../auth/store.ts'
import { writePolicy } from './integration.ts'

export const info = operation({
  name: 'info',
  for: { agent: { toolset: 'admin', scopes: [], method: 'GET' } },
  summary: 'Show who this key belongs to and what it can do. Needs no scope.',
  effect: 'read',
  input: z.object({}),
  output: z.looseObject({
    userId: z.uuid(),
    integrationId: z.uuid(),
    agentType: z.string().nullable(),
    label: z.string(),
    agentId: z.string().nullable().describe("The agent's name if a call doesn't give one; null: the label is used."),
    agentIds: z
      .enum(['pinned', 'any'])
      .describe('`pinned`: calls can only give its own name or one of `actsAs` as their agentId.'),
    actsAs: z.array(z.string()),
    writePolicy,
    scopes: z.array(z.enum(['read', 'write', 'search', 'admin'])).describe('Scopes in the vault `vaultId`.'),
    vaultId: z.uuid().nullable().describe("Used when a call doesn't name a vault."),
    allowedVaultIds: z
      .array(z.uuid())
      .describe('The only vaults that the key can use; empty if `restrictToVault` is false.'),
    restrictToVault: z.boolean(),
    vaultScopePresets: z.record(z.string(), z.enum(presets)).describe('Vaults with their own preset.'),
  }),
  examples: {
    input: {},
    output: {
      userId: '0198c5f0-0000-7000-8000-000000000010',
      integrationId: '0198c5f0-0000-7000-8000-000000000011',
      agentType: 'claude-code',
      label: 'Laptop',
      agentId: null,
      agentIds: 'any',
      actsAs: [],
      writePolicy: defaultWritePolicy,
      scopes: ['read', 'write', 'search'],
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      allowedVaultIds: [],
      restrictToVault: false,
      vaultScopePresets: {},
    },
  },
  async run(_input, { actor, instance }) {
    const profile = openProfile(instance, actor, actor)
    const { label, agentType, agentId, agentIds = 'any', actsAs = [] } = profile
    const confined = confinedTo(actor)
    const vaultId = defaultVault(actor)
    const overrides = [...actor.grants].flatMap(([id, preset]) => (preset === undefined ? [] : [[id, preset]]))
    return {
      userId: actor.userId,
      integrationId: actor.integrationId,
      agentType: agentType ?? null,
      label,
      agentId: agentId ?? null,
      agentIds,
      actsAs: [...actsAs],
      writePolicy: profile.writePolicy ?? defaultWritePolicy,
      scopes: [...scopesIn(actor, vaultId ?? '')],
      vaultId: vaultId ?? null,
      allowedVaultIds: confined ?? [],
      restrictToVault: confined !== undefined,
      vaultScopePresets: Object.fromEntries(overrides) as Record<string, (typeof presets)[number]>,
    }
  },
})
