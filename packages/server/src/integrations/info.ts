import { z } from 'zod'
import { confinedTo, defaultVault, presets, scopesIn } from '../auth/vault-access.ts'
import { operation } from '../operation/operation.ts'
import { openProfile } from '../auth/store.ts'

export const info = operation({
  name: 'info',
  for: { agent: { scopes: [], method: 'GET' } },
  summary: 'Who this key is and what it may do. Needs no scope.',
  effect: 'read',
  input: z.object({}),
  output: z.looseObject({
    userId: z.uuid(),
    integrationId: z.uuid(),
    agentType: z.string().nullable(),
    label: z.string(),
    agentId: z
      .string()
      .nullable()
      .describe('What its agent is called where a call does not say it; null: as the label.'),
    scopes: z.array(z.enum(['read', 'write', 'search', 'admin'])).describe('Held in the vault that `vaultId` names.'),
    vaultId: z.uuid().nullable().describe('The vault of calls that name none.'),
    allowedVaultIds: z
      .array(z.uuid())
      .describe('The only vaults that may be used; empty where `restrictToVault` is false.'),
    restrictToVault: z.boolean(),
    vaultScopePresets: z.record(z.string(), z.enum(presets)).describe('Vaults with a preset of their own.'),
  }),
  examples: {
    input: {},
    output: {
      userId: '0198c5f0-0000-7000-8000-000000000010',
      integrationId: '0198c5f0-0000-7000-8000-000000000011',
      agentType: 'claude-code',
      label: 'Laptop',
      agentId: null,
      scopes: ['read', 'write', 'search'],
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      allowedVaultIds: [],
      restrictToVault: false,
      vaultScopePresets: {},
    },
  },
  async run(_input, { actor, instance }) {
    const { label, agentType, agentId } = openProfile(instance, actor, actor.profile)
    const confined = confinedTo(actor)
    const vaultId = defaultVault(actor)
    const overrides = [...actor.grants].flatMap(([id, preset]) => (preset === undefined ? [] : [[id, preset]]))
    return {
      userId: actor.userId,
      integrationId: actor.integrationId,
      agentType: agentType ?? null,
      label,
      agentId: agentId ?? null,
      scopes: [...scopesIn(actor, vaultId ?? '')],
      vaultId: vaultId ?? null,
      allowedVaultIds: confined ?? [],
      restrictToVault: confined !== undefined,
      vaultScopePresets: Object.fromEntries(overrides) as Record<string, (typeof presets)[number]>,
    }
  },
})
