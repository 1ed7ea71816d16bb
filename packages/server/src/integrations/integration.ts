import { z } from 'zod'
import type { Mek } from '../auth/keyring.ts'
import { holdMek } from '../auth/store.ts'
import { presets } from '../auth/vault-access.ts'
import { defaultWritePolicy, writeRules } from '../auth/write-policy.ts'
import { invalid, notFound } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { isoTime, isoTimeOrNull } from '../core/time.ts'
import type { Tx } from '../db/dialect.ts'
import { holdRootKey } from '../instance/root-key-store.ts'
import * as fields from '../operation/fields.ts'
import type { Services } from '../operation/context.ts'
import { listVaultIds } from '../vaults/store.ts'
import type { KeyUse } from './key-store.ts'
import { insertIntegration, type Grant, type Integration } from './store.ts'

const agentIdModes = ['pinned', 'any'] as const

/** What its keys may do to the texts of others, in contracts. */
export const writePolicy = z
  .object({
    persons: z.enum(writeRules).describe('For records that a person wrote or was the last to change.'),
    agents: z.enum(writeRules).describe('For records of other agents, and those from a file.'),
  })
  .describe(
    'What its keys may do to records that someone else wrote: change, supersede, archive and trash them (`yes`), propose it, so that a person decides in Review (`ask`), or neither (`no`). It may always change its own records. Documents have their own switch, `agentEditable`.',
  )

/** An integration in responses. It gives one agent, or one installation of it, access. */
export const integrationRecord = z
  .looseObject({
    id: z.uuid(),
    label: z.string(),
    agentType: z.string().nullable(),
    agentId: z.string().nullable(),
    agentIds: z.enum(agentIdModes).describe('`pinned`: its keys can only act as its own agent and those in `actsAs`.'),
    actsAs: z.array(z.string()),
    preset: z.string(),
    restrictToVault: z.boolean(),
    vaults: z.array(z.looseObject({ vaultId: z.uuid(), preset: z.string().nullable() })),
    primaryVaultId: z.uuid().nullable(),
    isActive: z.boolean(),
    isDamaged: z
      .boolean()
      .describe(
        "Whether its stored names and write policy can't be read. It then allows as little as possible; set its label again to repair it.",
      ),
    writePolicy,
    keyCount: z.int().describe('Keys that are neither revoked nor expired.'),
    lastUsedAt: fields.timestamp.nullable().describe('When one of its keys was last used.'),
    version: z.int(),
    createdAt: fields.timestamp,
    updatedAt: fields.timestamp,
  })
  .meta({ id: 'Integration' })

export const integrationId = z.uuid().describe('Id of the integration.')

export const integrationFields = {
  label: fields.senderName.describe(
    "Name of the integration, 1 to 200 characters. Also the agent's name if there is no agentId.",
  ),
  agentType: z.string().min(1).max(200).describe('Kind of agent, such as the name of its program.'),
  agentId: fields.senderName.describe("The agent's name if a call doesn't give one."),
  agentIds: z
    .enum(agentIdModes)
    .describe(
      '`pinned`: its keys can only act as its own agent (`agentId`, or else the label) and those in `actsAs`, and no call of another integration can give that name. `any`: each call can give another `agentId`, except the names of pinned integrations.',
    ),
  actsAs: z
    .array(fields.senderName)
    .max(50)
    .describe(
      'Other agents that its keys can act as: read and acknowledge their messages, and write under their names.',
    ),
  preset: z.enum(presets).describe('What its keys can do.'),
  restrictToVault: z.boolean().describe('True: its keys can only use the vaults in `vaults`.'),
  vaults: z
    .array(
      z.object({
        vaultId: z.uuid().describe('Id of one of your vaults.'),
        preset: z
          .enum(presets)
          .optional()
          .describe("What its keys can do in this vault, instead of the integration's preset."),
      }),
    )
    .max(1000)
    .describe(
      'Access list. With `restrictToVault`, the only vaults it can use; otherwise vaults with their own preset.',
    ),
  primaryVaultId: z.uuid().describe("Used when a call doesn't name a vault."),
  isActive: z.boolean().describe('False: all its keys are refused until it is true again.'),
  writePolicy,
}

export const describeIntegration = (
  integration: Integration,
  keys: KeyUse | undefined,
): z.infer<typeof integrationRecord> => ({
  id: integration.id,
  label: integration.profile.label,
  agentType: integration.profile.agentType ?? null,
  agentId: integration.profile.agentId ?? null,
  agentIds: integration.profile.agentIds ?? 'any',
  actsAs: [...(integration.profile.actsAs ?? [])],
  preset: integration.preset,
  restrictToVault: integration.restrictToVault,
  vaults: integration.grants.map(({ vaultId, preset }) => ({ vaultId, preset: preset ?? null })),
  primaryVaultId: integration.primaryVaultId ?? null,
  isActive: integration.isActive,
  isDamaged: integration.profile.isDamaged === true,
  writePolicy: integration.profile.writePolicy ?? defaultWritePolicy,
  keyCount: keys?.valid ?? 0,
  lastUsedAt: isoTimeOrNull(keys?.lastUsedAt),
  version: integration.version,
  createdAt: isoTime(integration.createdAt),
  updatedAt: isoTime(integration.updatedAt),
})

export const exampleIntegration: z.infer<typeof integrationRecord> = {
  id: '0198c5f0-0000-7000-8000-000000000011',
  label: 'Laptop',
  agentType: 'claude-code',
  agentId: null,
  agentIds: 'any',
  actsAs: [],
  preset: 'read_write',
  restrictToVault: false,
  vaults: [],
  primaryVaultId: '0198c5f0-0000-7000-8000-000000000001',
  isActive: true,
  isDamaged: false,
  writePolicy: defaultWritePolicy,
  keyCount: 1,
  lastUsedAt: null,
  version: 1,
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
}

export type NewIntegration = Omit<
  Integration,
  'id' | 'userId' | 'profileRevision' | 'version' | 'createdAt' | 'updatedAt'
>

/** Creates an integration with the owner's master key wrapped for it. Check the access list first. */
export async function createIntegration(
  tx: Tx,
  { instance, keyring, now }: Pick<Services, 'instance' | 'keyring' | 'now'>,
  userId: string,
  draft: NewIntegration,
): Promise<Integration> {
  const id = newId()
  const at = now()
  const integration = { ...draft, id, userId, profileRevision: 1, version: 1, createdAt: at, updatedAt: at }
  const rootKey = await holdRootKey(tx, instance)
  const mek = await holdMek(tx, keyring, userId)
  const wrap = (version: number, key: Mek['key']) =>
    keyring.wrapMek({ holder: 'integration', userId, id }, { version, key }, rootKey)
  await insertIntegration(tx, instance, integration, {
    wrappedMek: wrap(mek.version, mek.key),
    nextWrappedMek: mek.next === undefined ? null : wrap(mek.version + 1, mek.next),
    mekVersion: mek.version,
  })
  return integration
}

export interface Access {
  restrictToVault: boolean
  grants: readonly Grant[]
  primaryVaultId: string | undefined
}

/** Refuses contradictory access lists, and vaults that don't belong to the user. */
export async function checkAccess(tx: Tx, userId: string, access: Access): Promise<void> {
  const granted = new Set(access.grants.map(({ vaultId }) => vaultId))
  if (granted.size < access.grants.length) throw invalid({ vaults: 'contains a vault twice' })
  if (access.restrictToVault && granted.size === 0)
    throw invalid({ vaults: 'name at least one vault, or leave restrictToVault off' })
  const { primaryVaultId } = access
  if (access.restrictToVault && primaryVaultId !== undefined && !granted.has(primaryVaultId))
    throw invalid({ primaryVaultId: 'must be one of `vaults` if restrictToVault is on' })
  const own = new Set(await listVaultIds(tx, userId))
  const named = primaryVaultId === undefined ? [...granted] : [...granted, primaryVaultId]
  if (named.some((vaultId) => !own.has(vaultId))) throw notFound('Vault')
}
