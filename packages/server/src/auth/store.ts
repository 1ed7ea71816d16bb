import { type CellAddress, damagedName, openIntactJson, type Sealed, sealJson } from '../crypto/cell.ts'
import { equalBytes } from '../crypto/secrets.ts'
import { type Database, jsonRows, locksRows, type Reader, type Tx } from '../db/dialect.ts'
import { type Param, prepared } from '../db/prepared.ts'
import type { Instance } from '../instance/instance.ts'
import type { AgentActor, PersonActor } from './actor.ts'
import type { Keyring, Mek } from './keyring.ts'
import { strictestWritePolicy, type WritePolicy } from './write-policy.ts'

const agentActor = prepared((db, param: Param<{ keyHash: Uint8Array; now: number }>) =>
  db
    .selectFrom('agentKeys as key')
    .innerJoin('integrations as integration', (join) =>
      join.onRef('integration.userId', '=', 'key.userId').onRef('integration.id', '=', 'key.integrationId'),
    )
    .innerJoin('users as user', 'user.id', 'key.userId')
    .leftJoin('vaultGrants as grant', (join) =>
      join.onRef('grant.userId', '=', 'key.userId').onRef('grant.integrationId', '=', 'key.integrationId'),
    )
    .select([
      'key.id as keyId',
      'key.userId',
      'key.integrationId',
      'key.vaultId as keyVaultId',
      'integration.preset',
      'integration.isActive',
      'integration.restrictToVault',
      'integration.primaryVaultId',
      'integration.wrappedMek',
      'integration.nextWrappedMek',
      'integration.mekVersion',
      'integration.profile',
      'integration.profileRevision',
      'grant.vaultId as grantedVaultId',
      'grant.preset as grantedPreset',
    ])
    .where('key.keyHash', '=', param('keyHash'))
    .where('key.revokedAt', 'is', null)
    .where('user.disabledAt', 'is', null)
    .where((where) => where.or([where('key.expiresAt', 'is', null), where('key.expiresAt', '>', param('now'))]))
    .where((where) =>
      where.or([where('key.secretExpiresAt', 'is', null), where('key.secretExpiresAt', '>', param('now'))]),
    )
    .orderBy('grant.vaultId'),
)

/** The actor of a valid key, in one query. A revoked or expired key finds nothing, from the next call on. */
export async function findAgentActor(db: Reader, keyHash: Uint8Array, now: number): Promise<AgentActor | undefined> {
  const rows = await agentActor.execute(db, { keyHash, now })
  const [first] = rows
  if (first === undefined) return undefined
  const grants = new Map<string, string | undefined>()
  for (const row of rows)
    if (row.grantedVaultId !== null) grants.set(row.grantedVaultId, row.grantedPreset ?? undefined)
  return {
    kind: 'agent',
    userId: first.userId,
    integrationId: first.integrationId,
    keyId: first.keyId,
    preset: first.preset,
    isActive: first.isActive === 1,
    restrictToVault: first.restrictToVault === 1,
    primaryVaultId: first.primaryVaultId ?? undefined,
    grants,
    keyVaultId: first.keyVaultId ?? undefined,
    wrappedMek: first.wrappedMek ?? undefined,
    nextWrappedMek: first.nextWrappedMek ?? undefined,
    mekVersion: first.mekVersion,
    profile: first.profile,
    profileRevision: first.profileRevision,
  }
}

/** Hashes of a token, or of the two halves of a session. */
export type CredentialHashes =
  | { kind: 'token'; secretHash: Uint8Array }
  | { kind: 'session'; secretHash: Uint8Array; keyHash: Uint8Array }

/** The person with this session or token, unless it has expired by age or, for sessions, by inactivity. */
export async function findDashboardActor(
  db: Reader,
  given: CredentialHashes,
  { now, idleMs }: { now: number; idleMs: number },
): Promise<PersonActor | undefined> {
  const row = await db
    .selectFrom('dashboardCredentials as credential')
    .innerJoin('users as user', 'user.id', 'credential.userId')
    .select([
      'credential.id',
      'credential.lastUsedAt',
      'credential.keyHash',
      'credential.userId',
      'user.isOwner',
      'user.wrappedMek',
      'user.nextWrappedMek',
      'user.mekVersion',
    ])
    .where('credential.secretHash', '=', given.secretHash)
    .where('credential.kind', '=', given.kind)
    .where('user.disabledAt', 'is', null)
    .where('credential.expiresAt', '>', now)
    .executeTakeFirst()
  if (row === undefined) return undefined
  if (given.kind === 'session') {
    // The key isn't looked up by its hash, so the comparison must not reveal how much of it is right.
    if (row.keyHash === null || !equalBytes(row.keyHash, given.keyHash)) return undefined
    if (row.lastUsedAt + idleMs <= now) return undefined
  }
  return {
    kind: 'person',
    integrationId: undefined,
    userId: row.userId,
    isOwner: row.isOwner === 1,
    credentialId: row.id,
    wrappedMek: row.wrappedMek,
    nextWrappedMek: row.nextWrappedMek ?? undefined,
    mekVersion: row.mekVersion,
  }
}

/** For jobs, and for the operator. Default: the owner. Undefined if there is no such user. */
export async function findUserActor(db: Reader, userId: string | undefined): Promise<PersonActor | undefined> {
  return (await findUser(db, userId))?.actor
}

/** For whoever signs in as this user or acts for them: also undefined if the user is disabled. */
export async function findCallingUser(db: Reader, userId: string | undefined): Promise<PersonActor | undefined> {
  const found = await findUser(db, userId)
  return found?.isDisabled === true ? undefined : found?.actor
}

async function findUser(
  db: Reader,
  userId: string | undefined,
): Promise<{ actor: PersonActor; isDisabled: boolean } | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'isOwner', 'wrappedMek', 'nextWrappedMek', 'mekVersion', 'disabledAt'])
    .where((where) => (userId === undefined ? where('isOwner', '=', where.lit(1)) : where('id', '=', userId)))
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    isDisabled: row.disabledAt !== null,
    actor: {
      kind: 'person',
      integrationId: undefined,
      userId: row.id,
      isOwner: row.isOwner === 1,
      credentialId: undefined,
      wrappedMek: row.wrappedMek,
      nextWrappedMek: row.nextWrappedMek ?? undefined,
      mekVersion: row.mekVersion,
    },
  }
}

/** When rows were last used. */
type Uses = readonly { userId: string; id: string; at: number }[]

/** The places of the fields in a row of `asJson`. */
const place = { userId: 0, id: 1, at: 2 } as const
const asJson = (used: Uses) => JSON.stringify(used.map(({ userId, id, at }) => [userId, id, at]))

const keysUsed = prepared((db, param: Param<{ used: string }>) => {
  const { from, text, number } = jsonRows(db, param('used'))
  return db
    .updateTable('agentKeys')
    .from(from)
    .set({ lastUsedAt: number(place.at) })
    .where('agentKeys.userId', '=', text(place.userId))
    .where('agentKeys.id', '=', text(place.id))
    .where((where) => where.or([where('lastUsedAt', 'is', null), where('lastUsedAt', '<', number(place.at))]))
})

/** Never moves a time backwards. */
export async function markKeysUsed(db: Database, used: Uses): Promise<undefined> {
  await db.write((tx) => keysUsed.execute(tx, { used: asJson(used) }))
  return undefined
}

const credentialsUsed = prepared((db, param: Param<{ used: string }>) => {
  const { from, text, number } = jsonRows(db, param('used'))
  return db
    .updateTable('dashboardCredentials')
    .from(from)
    .set({ lastUsedAt: number(place.at) })
    .where('dashboardCredentials.userId', '=', text(place.userId))
    .where('dashboardCredentials.id', '=', text(place.id))
    .where('lastUsedAt', '<', number(place.at))
})

export async function markCredentialsUsed(db: Database, used: Uses): Promise<undefined> {
  await db.write((tx) => credentialsUsed.execute(tx, { used: asJson(used) }))
  return undefined
}

/**
 * Serializes changes to a person's setup (vaults, integrations, grants): the row stays locked until the transaction ends,
 * so what was checked is still true when it is written. False if there is no such user.
 */
export async function lockUser(tx: Tx, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set((user) => ({ mekVersion: user.ref('mekVersion') }))
    .where('id', '=', userId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * The user's master key as it is stored now, for wrapping another key under it. The user's row stays locked until the transaction ends, so
 * the key can't be replaced before that.
 */
export async function holdMek(tx: Tx, keyring: Pick<Keyring, 'mek'>, userId: string): Promise<Mek> {
  const query = tx.selectFrom('users').select(['wrappedMek', 'nextWrappedMek', 'mekVersion']).where('id', '=', userId)
  const row = await (locksRows(tx) ? query.forShare() : query).executeTakeFirstOrThrow()
  const { wrappedMek, nextWrappedMek, mekVersion } = row
  return keyring.mek({
    kind: 'person',
    userId,
    integrationId: undefined,
    wrappedMek,
    nextWrappedMek: nextWrappedMek ?? undefined,
    mekVersion,
  })
}

/** The names of an integration. Sealed under the instance key, because they are shown before any vault is unlocked. */
export interface IntegrationProfile {
  label: string
  agentType: string | undefined
  agentId: string | undefined
  /** Whether its keys can act only as it and the agents in `actsAs`. Integrations of earlier versions have none: `any`. */
  agentIds?: 'pinned' | 'any' | undefined
  /** Other agents that it may act as. */
  actsAs?: readonly string[] | undefined
  writePolicy?: WritePolicy | undefined
  /** If the stored profile can't be opened: then it has a name of its own and allows as little as possible. Never sealed. */
  isDamaged?: true | undefined
}

const damagedProfile = ({ integrationId }: Holder): IntegrationProfile => ({
  label: damagedName(integrationId),
  agentType: undefined,
  agentId: undefined,
  agentIds: 'pinned',
  writePolicy: strictestWritePolicy,
  isDamaged: true,
})

interface Holder {
  userId: string
  integrationId: string
}

/** The two columns of an integration that hold its profile. */
export interface SealedProfile {
  profile: Sealed
  profileRevision: number
}

/** The same columns after an outer join. */
export type JoinedProfile = { [Column in keyof SealedProfile]: SealedProfile[Column] | null }

/** Undefined if the integration was deleted. */
export const profileIn = ({ profile, profileRevision }: JoinedProfile): SealedProfile | undefined =>
  profile === null || profileRevision === null ? undefined : { profile, profileRevision }

/** `revision`: one more than that of the profile that it replaces; 1 for a new integration. */
export const sealProfile = (
  instance: Instance,
  holder: Holder,
  profile: IntegrationProfile,
  revision: number,
): SealedProfile => ({
  profile: sealJson(instance.keys, 'content', address(instance, holder, revision), profile),
  profileRevision: revision,
})

export const openProfile = (
  instance: Instance,
  holder: Holder,
  { profile, profileRevision }: SealedProfile,
): IntegrationProfile =>
  (openIntactJson(instance, address(instance, holder, profileRevision), profile) as IntegrationProfile | undefined) ??
  damagedProfile(holder)

const profilesOf = prepared((db, param: Param<{ userId: string }>) =>
  db.selectFrom('integrations').select(['id', 'profile', 'profileRevision']).where('userId', '=', param('userId')),
)

/** The profiles of a person's integrations, or of some, by id. Reads all, which are few, and opens only those. */
export async function findProfiles(
  db: Reader,
  instance: Instance,
  userId: string,
  ids?: ReadonlySet<string>,
): Promise<Map<string, IntegrationProfile>> {
  if (ids?.size === 0) return new Map()
  const rows = await profilesOf.execute(db, { userId })
  const wanted = ids === undefined ? rows : rows.filter(({ id }) => ids.has(id))
  return new Map(wanted.map(({ id, ...sealed }) => [id, openProfile(instance, { userId, integrationId: id }, sealed)]))
}

/** Integrations of all users whose profile can't be opened, for the operator. */
export async function countDamagedProfiles(db: Reader, instance: Instance): Promise<number> {
  const rows = await db.selectFrom('integrations').select(['id', 'userId', 'profile', 'profileRevision']).execute()
  return rows.filter(({ id, userId, ...row }) => openProfile(instance, { userId, integrationId: id }, row).isDamaged)
    .length
}

const address = (instance: Instance, { userId, integrationId }: Holder, revision: number): CellAddress => ({
  userId,
  scopeId: instance.id,
  table: 'integrations',
  rowId: integrationId,
  column: 'profile',
  revision,
})
