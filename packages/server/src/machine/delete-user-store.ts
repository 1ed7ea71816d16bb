import type { Reader, Tx } from '../db/dialect.ts'

/** Rows that belong to a user and to no vault, or to all of theirs. The keys are among them. */
const tables = [
  'vaultKeys',
  'integrations',
  'vaultGrants',
  'vaultMembers',
  'vaultInvitations',
  'webhookDeliveries',
  'webhooks',
  'agentKeys',
  'oauthGrants',
  'dashboardCredentials',
  'passkeys',
  'spentChallenges',
  'recoveryCodes',
  'secondFactors',
  'documentVersions',
  'documents',
  'activity',
  'usage',
  'rateCounts',
  'callCounts',
] as const

/** Deletes the user with everything outside of their vaults, and from the vaults of others. The rows of the vaults are left, without their keys. */
export async function deleteUserRows(tx: Tx, userId: string, at: number): Promise<void> {
  // Before memberships: an acceptance in another transaction either ends first, or no longer finds its invitation.
  await tx
    .deleteFrom('vaultInvitations')
    .where((invitation) => invitation.or([invitation('invitedBy', '=', userId), invitation('invitedId', '=', userId)]))
    .execute()
  await tx.deleteFrom('vaultMembers').where('memberId', '=', userId).execute()
  await tx.updateTable('vaults').set({ erasedAt: at }).where('userId', '=', userId).execute()
  for (const table of tables) await tx.deleteFrom(table).where('userId', '=', userId).execute()
  await tx.deleteFrom('users').where('id', '=', userId).execute()
}

export async function listVaultIds(db: Reader, userId: string): Promise<string[]> {
  const rows = await db.selectFrom('vaults').select('id').where('userId', '=', userId).execute()
  return rows.map(({ id }) => id)
}
