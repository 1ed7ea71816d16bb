import { findUserActor } from '../auth/store.ts'
import { ServiceError } from '../core/errors.ts'
import { CellError } from '../crypto/cell.ts'
import type { Services, UnlockedVault } from '../operation/context.ts'
import { findVaultKeys } from '../vaults/store.ts'

/** Continues with the other vaults after a failure, so a damaged vault doesn't block the rest, then throws the first error. */
export async function forEachVault<Vault>(
  vaults: readonly Vault[],
  signal: AbortSignal,
  work: (vault: Vault) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  for (const vault of vaults) {
    if (signal.aborted) break
    await work(vault).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}

/** Unlocks a vault for a job through its owner's wrapped key; no agent needs to be connected. */
export async function unlockVault(
  { db, keyring }: Pick<Services, 'db' | 'keyring'>,
  userId: string,
  vaultId: string,
): Promise<Omit<UnlockedVault, 'scopes'> | undefined> {
  const owner = await findUserActor(db.read, userId)
  const vault = await findVaultKeys(db.read, userId, vaultId)
  if (owner === undefined || vault === undefined) return undefined
  const keys = keyring.vault(keyring.mek(owner), userId, vaultId, vault.keys)
  return { id: vaultId, userId, seq: vault.seq, keys, settings: vault.settings, isWatched: vault.isWatched }
}

/** Whether a record can't be opened or its row is lost, so retrying is useless. */
export const isDamage = (error: unknown): boolean =>
  error instanceof CellError || (error instanceof ServiceError && error.code === 'unavailable')
