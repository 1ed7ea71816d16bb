import { z } from 'zod'
import { issueDashboardToken } from '../accounts/credential-store.ts'
import { password, refuseWeakPassword } from '../accounts/password.ts'
import { insertUser } from '../accounts/store.ts'
import { newEmail } from '../operation/fields.ts'
import type { Preset } from '../auth/vault-access.ts'
import { refs } from '../calls/records.ts'
import { invalid } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { Tx } from '../db/dialect.ts'
import { holdRootKey } from '../instance/root-key-store.ts'
import { createIntegration } from '../integrations/integration.ts'
import { issueAgentKey } from '../integrations/key-store.ts'
import type { Services } from '../operation/context.ts'
import { operation } from '../operation/operation.ts'
import { createVault, type VaultOwner } from '../vaults/vault.ts'

export interface NewAccount {
  email: string
  /** Already hashed, because a transaction must not wait for anything else. */
  passwordHash: string
  isOwner: boolean
  vaultName: string
  /** How long the dashboard token is valid. */
  tokenMs: number
}

interface Account {
  userId: string
  vaultId: string
  dashboardToken: string
}

/** Enough for a script that continues the setup. The person who creates an account for someone shouldn't keep access to it. */
export const firstTokenMs = 3_600_000

export const firstToken = z.string().describe('For the dashboard API, valid for one hour; shown once.')

type Deps = Pick<Services, 'instance' | 'keyring' | 'now'>

/**
 * Creates a person with their own keys, a default vault and a dashboard token, in the caller's transaction. Returns undefined,
 * without writing anything, if the email address is taken or there is already an owner.
 */
export async function createAccount(tx: Tx, services: Deps, account: NewAccount): Promise<Account | undefined> {
  const created = await createPerson(tx, services, account)
  return created && { userId: created.owner.userId, vaultId: created.vaultId, dashboardToken: created.dashboardToken }
}

/** Also creates an integration for a first agent, with the new vault as its default, and its key. */
export async function createAccountWithAgent(
  tx: Tx,
  services: Deps,
  account: NewAccount,
  agent: { label: string; preset: Preset },
): Promise<(Account & { integrationId: string; agentKey: string }) | undefined> {
  const created = await createPerson(tx, services, account)
  if (created === undefined) return undefined
  const { owner, vaultId, dashboardToken } = created
  const { userId } = owner
  const at = services.now()
  const { id: integrationId } = await createIntegration(tx, services, userId, {
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
  services: Deps,
  { vaultName, tokenMs, ...person }: NewAccount,
): Promise<{ owner: VaultOwner; vaultId: string; dashboardToken: string } | undefined> {
  const userId = newId()
  const at = services.now()
  const rootKey = await holdRootKey(tx, services.instance)
  const mek = services.keyring.newMek()
  const wrappedMek = services.keyring.wrapMek({ userId, holder: 'user', id: userId }, mek, rootKey)
  const user = { userId, ...person, wrappedMek, mekVersion: mek.version, createdAt: at }
  if (!(await insertUser(tx, services.instance, user))) return undefined
  const owner = { userId, mek }
  const vault = { profile: { name: vaultName, description: undefined }, isDefault: true, at }
  const vaultId = await createVault(tx, services.keyring, owner, vault)
  return { owner, vaultId, dashboardToken: await issueDashboardToken(tx, userId, { at, lifetimeMs: tokenMs }) }
}

export const addedUser = z.looseObject({
  userId: z.uuid(),
  vaultId: z.uuid(),
  dashboardToken: firstToken,
})

export const createUser = operation({
  name: 'create-user',
  for: { operator: 'POST /api/operator/users' },
  summary: 'Create a user with their own keys and a first vault.',
  effect: 'write',
  changes: ['account'],
  input: z.object({ email: newEmail, password }),
  output: addedUser,
  returns: ({ userId }) => refs('user', userId),
  examples: {
    input: { email: 'grace@example.org', password: 'another long and private sentence' },
    output: {
      userId: '0198c5f0-0000-7000-8000-000000000020',
      vaultId: '0198c5f0-0000-7000-8000-000000000021',
      dashboardToken: 'hfd_…',
    },
  },
  created: () => true,
  async run(given, ctx) {
    refuseWeakPassword(given.password, given.email)
    const passwordHash = await ctx.passwords.hash(given.password)
    const account = { email: given.email, passwordHash, isOwner: false, vaultName: 'Main', tokenMs: firstTokenMs }
    return ctx.db.write(async (tx) => {
      const created = await createAccount(tx, ctx, account)
      if (created === undefined) throw invalid({ email: 'already belongs to a user' })
      return { ...created }
    })
  },
})
