import { z } from 'zod'
import { invalid, notFound, unavailable } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { Instance } from '../instance/instance.ts'
import type { Actor } from '../auth/actor.ts'
import type { Keyring, Mek } from '../auth/keyring.ts'
import { holdMek } from '../auth/store.ts'
import { confinedTo, type Scope, scopesIn } from '../auth/vault-access.ts'
import { memberRoles, presetOfRole, type MemberRole } from '../auth/vault-roles.ts'
import { isoTime } from '../core/time.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import * as fields from '../operation/fields.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import type { CallContext, VaultCounts } from '../operation/context.ts'
import { describePerson, personRecord, type People } from './member.ts'
import {
  findVaultKeys,
  insertVault,
  listVaultIds,
  listVaults,
  updateVault,
  type StoredVault,
  type VaultProfile,
} from './store.ts'

/** A vault in answers. */
export const vaultRecord = z
  .looseObject({
    vaultId: z.uuid(),
    id: z.uuid().describe('The same as `vaultId`.'),
    name: z.string().describe('Its id if it is damaged.'),
    description: z.string().nullable(),
    isDefault: z.boolean(),
    noteCount: z.int(),
    memoryCount: z.int(),
    openTaskCount: z.int(),
    scopePreset: z.string().describe('What the caller may do in this vault.'),
    role: z
      .enum(memberRoles)
      .optional()
      .describe('Your role, if someone else shares it with you. Your own vaults have none.'),
    owner: personRecord.optional().describe('Who shares it with you.'),
    memberCount: z
      .int()
      .optional()
      .describe('How many people you share it with. Only in lists for people, of their own vaults.'),
    isDamaged: z
      .literal(true)
      .optional()
      .describe("Its keys or its name can't be opened: delete it, with its id as its name, or restore a backup."),
    lastWriteAt: fields.timestamp
      .nullable()
      .optional()
      .describe('In lists: when a memory, task or note of the vault was last written. Null if it has none.'),
    version: z.int(),
    createdAt: fields.timestamp,
    updatedAt: fields.timestamp.describe('When its name, description or default was last changed.'),
  })
  .meta({ id: 'Vault' })

export const ownVaultId = z.uuid().describe('Id of the vault.')

export const vaultFields = {
  name: fields.shownName(200).describe('Name of the vault, 1 to 200 characters.'),
  description: z.string().max(2000).optional().describe('What the vault is for, at most 2,000 characters.'),
}

/** A vault of someone else, as its members see it. */
export const describeShared = (
  vault: StoredVault,
  counts: ReadonlyMap<string, VaultCounts>,
  { ownerId, role, people }: { ownerId: string; role: MemberRole; people: People },
): z.infer<typeof vaultRecord> => ({
  ...describeVault(vault, counts, presetOfRole[role]),
  isDefault: false,
  role,
  owner: describePerson(ownerId, people),
})

/** What a caller may do in a vault; people may do everything in theirs. */
export const presetIn = (actor: Actor, vaultId: string): string =>
  actor.kind === 'person' ? 'admin' : (actor.grants.get(vaultId) ?? actor.preset)

/** `counts` has no entry for an empty vault. */
export const describeVault = (
  vault: StoredVault,
  counts: ReadonlyMap<string, VaultCounts>,
  scopePreset: string,
): z.infer<typeof vaultRecord> => ({
  vaultId: vault.vaultId,
  id: vault.vaultId,
  name: vault.profile.name,
  description: vault.profile.description ?? null,
  isDefault: vault.isDefault,
  noteCount: counts.get(vault.vaultId)?.noteCount ?? 0,
  memoryCount: counts.get(vault.vaultId)?.memoryCount ?? 0,
  openTaskCount: counts.get(vault.vaultId)?.openTaskCount ?? 0,
  scopePreset,
  ...(vault.isDamaged && { isDamaged: true as const }),
  version: vault.version,
  createdAt: isoTime(vault.createdAt),
  updatedAt: isoTime(vault.updatedAt),
})

export const exampleVault: z.infer<typeof vaultRecord> = {
  vaultId: '0198c5f0-0000-7000-8000-000000000001',
  id: '0198c5f0-0000-7000-8000-000000000001',
  name: 'Main',
  description: null,
  isDefault: true,
  noteCount: 0,
  memoryCount: 2,
  openTaskCount: 0,
  scopePreset: 'admin',
  lastWriteAt: '2026-11-21T09:00:00.000Z',
  version: 1,
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
}

/**
 * Refuses to give a second vault of a person the name of another: a program that finds vaults by name would then ask for an id. Names that
 * differ only in case are refused, too: programs reach both by their exact names, but the MCP server also accepts a name in another case, so
 * a wrong letter would lead to the wrong vault. Agents may use a name twice, because the server answers them with ids.
 */
export function refuseTakenName(vaults: readonly StoredVault[], name: string, exceptId?: string): void {
  const wanted = name.toLowerCase()
  if (vaults.some(({ vaultId, profile }) => vaultId !== exceptId && profile.name.toLowerCase() === wanted))
    throw invalid({ name: 'is the name of another vault, and programs find vaults by name; choose another name' })
}

/** The owner of a vault, with the key that opens the vault's key. */
export interface VaultOwner {
  userId: string
  mek: Mek
}

/** Creates a vault with its own key. Destroying the key erases the vault. */
export async function createVault(
  tx: Tx,
  keyring: Keyring,
  owner: VaultOwner,
  vault: { profile: VaultProfile; isDefault: boolean; at: number },
): Promise<string> {
  const vaultId = newId()
  const mek = await holdMek(tx, keyring, owner.userId)
  const key = keyring.newVaultKey(mek, owner.userId, vaultId)
  const keys = keyring.vault(mek, owner.userId, vaultId, [key])
  await insertVault(tx, keys, { userId: owner.userId, vaultId, key, ...vault })
  return vaultId
}

interface VaultOpener {
  keyring: Keyring
  /** Whose vaults. */
  actor: Pick<Actor, 'userId'>
  mek: Mek
  instance: Pick<Instance, 'onDamage'>
}

/** The caller's own vaults in which they have the scope, the default first, then the oldest. */
export async function listVaultsWith(
  { actor, db }: Pick<CallContext, 'actor' | 'db'>,
  scope: Scope,
): Promise<string[]> {
  const vaultIds = await listVaultIds(db.read, actor.userId)
  if (actor.kind === 'person') return vaultIds
  const usable = new Set(confinedTo(actor) ?? vaultIds)
  return vaultIds.filter((id) => usable.has(id) && scopesIn(actor, id).includes(scope))
}

/** Opens the user's vaults, or only the ones in `only`. Damaged ones are marked. */
export const openVaults = (
  db: Reader,
  { keyring, actor, mek, instance }: VaultOpener,
  only?: readonly string[],
): Promise<StoredVault[]> =>
  listVaults(db, actor.userId, only, {
    unlock: (vaultId, keys) => keyring.vault(mek, actor.userId, vaultId, keys),
    onDamage: (address) => instance.onDamage(address),
  })

/** Opens one of the user's vaults; 404 if it does not exist, and 503 if it is damaged. */
export async function getVault(db: Reader, opener: VaultOpener, vaultId: string): Promise<StoredVault> {
  const [vault] = await openVaults(db, opener, [vaultId])
  if (vault === undefined) throw notFound('Vault')
  refuseDamaged(vault)
  return vault
}

function refuseDamaged({ vaultId, isDamaged }: StoredVault): void {
  if (isDamaged) throw unavailable(`vault ${vaultId} can't be opened: delete it, or restore a backup`)
}

/** Saves the change as the vault's next version and returns the changed vault. */
export async function changeVault(
  tx: Tx,
  { keyring, owner }: { keyring: Keyring; owner: VaultOwner },
  before: StoredVault,
  change: { profile?: VaultProfile; isDefault?: boolean; at: number },
): Promise<StoredVault> {
  refuseDamaged(before)
  const found = await findVaultKeys(tx, owner.userId, before.vaultId)
  if (found === undefined) throw notFound('Vault')
  const keys = keyring.vault(owner.mek, owner.userId, before.vaultId, found.keys)
  await lockVault(tx, { id: before.vaultId, userId: owner.userId, keys })
  const after = {
    ...before,
    profile: change.profile ?? before.profile,
    isDefault: change.isDefault ?? before.isDefault,
    version: before.version + 1,
    updatedAt: change.at,
  }
  await updateVault(tx, keys, owner.userId, after)
  return after
}
