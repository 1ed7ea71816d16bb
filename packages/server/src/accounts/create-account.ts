import type { Preset } from '../auth/presets.ts'
import { newId } from '../core/ids.ts'
import type { Tx } from '../db/dialect.ts'
import { holdRootKey } from '../instance/root-key-store.ts'
import { createIntegration } from '../integrations/integration.ts'
import { issueAgentKey } from '../integrations/key-store.ts'
import type { Services } from '../operation/context.ts'
import { createVault, type VaultOwner } from '../vaults/vault.ts'
import { issueDashboardToken } from './credential-store.ts'
import { insertUser } from './store.ts'

export interface NewAccount {
  email: string
  /** Hashed before: a transaction waits for nothing but itself. */
  passwordHash: string
  isOwner: boolean
  vaultName: string
}

export interface Account {
  userId: string
  vaultId: string
  dashboardToken: string
}

/**
 * A person with keys of their own, a default vault and a dashboard token, in the caller's transaction. Undefined, with
 * nothing written, where the e-mail is taken or another owner came first.
 */
export async function createAccount(tx: Tx, services: Services, account: NewAccount): Promise<Account | undefined> {
  const created = await createPerson(tx, services, account)
  return created && { userId: created.owner.userId, vaultId: created.vaultId, dashboardToken: created.dashboardToken }
}

/** The same with an integration for a first agent, which works in the new vault by default, and its key. */
export async function createAccountWithAgent(
  tx: Tx,
  services: Services,
  account: NewAccount,
  agent: { label: string; preset: Preset },
): Promise<(Account & { integrationId: string; agentKey: string }) | undefined> {
  const created = await createPerson(tx, services, account)
  if (created === undefined) return undefined
  const { owner, vaultId, dashboardToken } = created
  const { userId } = owner
  const at = services.now()
  const { id: integrationId } = await createIntegration(tx, services, owner, {
    profile: { label: agent.label, agentType: undefined, agentId: undefined },
    preset: agent.preset,
    restrictToVault: false,
    grants: [],
    primaryVaultId: vaultId,
    isActive: true,
  })
  const key = { userId, integrationId, label: agent.label, expiresAt: undefined, at }
  const { agentKey } = await issueAgentKey(tx, services.instance, key)
  return { userId, vaultId, integrationId, agentKey, dashboardToken }
}

async function createPerson(
  tx: Tx,
  services: Services,
  { email, passwordHash, isOwner, vaultName }: NewAccount,
): Promise<{ owner: VaultOwner; vaultId: string; dashboardToken: string } | undefined> {
  const userId = newId()
  const at = services.now()
  const rootKey = await holdRootKey(tx, services.instance)
  const { mek, mekVersion, wrappedMek } = services.keyring.newMek(userId, rootKey)
  const user = { userId, email, passwordHash, isOwner, wrappedMek, mekVersion, createdAt: at }
  if (!(await insertUser(tx, services.instance, user))) return undefined
  const owner = { userId, mek, mekVersion }
  const vault = { profile: { name: vaultName, description: undefined }, isDefault: true, at }
  const vaultId = await createVault(tx, services.keyring, owner, vault)
  return { owner, vaultId, dashboardToken: await issueDashboardToken(tx, userId, at) }
}
