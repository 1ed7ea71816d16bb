import type { PersonActor } from '../auth/actor.ts'
import { type Role, includesRole, type MemberRole, presetOfRole } from '../auth/vault-roles.ts'
import { scopesOf } from '../auth/vault-access.ts'
import { findUserActor } from '../auth/store.ts'
import { forbidden } from '../core/errors.ts'
import type { Reader } from '../db/dialect.ts'
import type { CallContext, UnlockedVault } from '../operation/context.ts'
import { findMembership, type OwnedVault } from './member-store.ts'
import { findVaultKeys, listVaults, type StoredVault } from './store.ts'

/** Vaults of others that a person may use. */

/**
 * Opens a vault that its owner shares with this person, who needs at least the role `needed`. Undefined if it isn't shared with them, so
 * that the answer is the same as for one that doesn't exist. Whoever is a member knows the vault, and is told what they lack.
 */
export async function openSharedVault(
  { db, keyring, actor }: Pick<CallContext, 'db' | 'keyring'> & { actor: PersonActor },
  vaultId: string,
  needed: Role,
): Promise<UnlockedVault | undefined> {
  const membership = await findMembership(db.read, actor.userId, vaultId)
  if (membership === undefined) return undefined
  const { role, owner } = membership
  const found = await findVaultKeys(db.read, owner.userId, vaultId)
  if (found === undefined) return undefined
  if (!includesRole(role, needed)) throw forbidden(explainLack(role, needed))
  const keys = keyring.vault(keyring.mek(owner), owner.userId, vaultId, found.keys)
  return { ...found, id: vaultId, userId: owner.userId, keys, scopes: scopesOf(presetOfRole[role]), role }
}

const explainLack = (role: MemberRole, needed: Role): string =>
  needed === 'owner'
    ? "Only the vault's owner can do that."
    : `Your role in this vault is "${role}"; this needs "${needed}". Ask its owner or an admin to change your role.`

/** Opens vaults of others by their owners. Damaged ones are marked; those that are being erased are missing. */
export async function openVaultsOfOthers(
  db: Reader,
  { keyring, instance }: Pick<CallContext, 'keyring' | 'instance'>,
  wanted: readonly OwnedVault[],
): Promise<StoredVault[]> {
  const opened: StoredVault[] = []
  for (const [ownerId, own] of Map.groupBy(wanted, ({ userId }) => userId)) {
    const owner = await findUserActor(db, ownerId)
    if (owner === undefined) continue
    const ids = own.map(({ vaultId }) => vaultId)
    const vaults = await listVaults(db, ownerId, ids, {
      unlock: (vaultId, keys) => keyring.vault(keyring.mek(owner), ownerId, vaultId, keys),
      onDamage: (address) => instance.onDamage(address),
    })
    // The default is what the owner's agents use.
    opened.push(...vaults.map((vault) => ({ ...vault, isDefault: false })))
  }
  return opened.toSorted((a, b) => (a.vaultId < b.vaultId ? -1 : 1))
}
