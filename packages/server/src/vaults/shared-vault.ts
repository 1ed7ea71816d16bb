import type { PersonActor } from '../auth/actor.ts'
import { type Role, includesRole, type MemberRole, presetOfRole } from '../auth/vault-roles.ts'
import { scopesOf } from '../auth/vault-access.ts'
import { findUserActor } from '../auth/store.ts'
import { forbidden, notFound } from '../core/errors.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { CallContext, PersonVaultContext, UnlockedVault } from '../operation/context.ts'
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
  requireRole({ role }, needed)
  const keys = keyring.vault(keyring.mek(owner), owner.userId, vaultId, found.keys)
  return { ...found, id: vaultId, userId: owner.userId, keys, scopes: scopesOf(presetOfRole[role]), role }
}

/** For an operation whose `leastRole` allows a part of it: 403 below the role that the rest needs. */
export function requireRole({ role = 'viewer' }: Pick<UnlockedVault, 'role'>, needed: Role): void {
  if (role !== 'owner' && !includesRole(role, needed)) throw forbidden(explainLack(role, needed))
}

/**
 * Whether the caller may still decide who uses the vault, in the transaction that changes it and after its lock: what they add for others
 * would outlast a removal or a lesser role that came between the begin of their call and the change.
 */
export async function refuseFormerAdmin(
  tx: Tx,
  { actor, vault }: Pick<PersonVaultContext, 'actor' | 'vault'>,
): Promise<void> {
  if (actor.isMember !== true) return
  const membership = await findMembership(tx, actor.userId, vault.id)
  if (membership === undefined) throw notFound('Vault')
  requireRole(membership, 'admin')
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
