import { notFound } from '../core/errors.ts'
import type { PersonContext } from '../operation/context.ts'
import type { SettingsScope } from '../vaults/settings-store.ts'
import { findVaultKeys } from '../vaults/store.ts'

export interface OpenVault extends SettingsScope {
  seq: number
}

/** A person's vault, with its keys; 404 where it is not theirs. */
export async function openVault({ actor, db, keyring, mek }: PersonContext, vaultId: string): Promise<OpenVault> {
  const found = await findVaultKeys(db.read, actor.userId, vaultId)
  if (found === undefined) throw notFound('Vault')
  const keys = keyring.vault(mek, actor.userId, vaultId, found.keys)
  return { id: vaultId, userId: actor.userId, keys, settings: found.settings, seq: found.seq }
}
