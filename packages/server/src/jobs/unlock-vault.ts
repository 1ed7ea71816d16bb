import { findUserActor } from '../auth/store.ts'
import type { Services, UnlockedVault } from '../operation/context.ts'
import { findVaultKeys } from '../vaults/store.ts'

/** A vault as a job needs it: unlocked through its owner's own wrap, with no agent connected. */
export async function unlockVault(
  { db, keyring }: Services,
  userId: string,
  vaultId: string,
): Promise<Omit<UnlockedVault, 'scopes'> | undefined> {
  const owner = await findUserActor(db.read, userId)
  const vault = await findVaultKeys(db.read, userId, vaultId)
  if (owner === undefined || vault === undefined) return undefined
  const keys = keyring.vault(keyring.mek(owner), userId, vaultId, vault.keys)
  return { id: vaultId, userId, seq: vault.seq, keys, settings: vault.settings }
}
