import type { PersonActor } from '../auth/actor.ts'
import { isMemberRole, type MemberRole } from '../auth/vault-roles.ts'
import { type CellAddress, openIntactText, type Sealed, sealText } from '../crypto/cell.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { Instance } from '../instance/instance.ts'

/** Who may use the vaults of others, and who is invited to. */

/** A vault and its owner. */
export interface OwnedVault {
  userId: string
  vaultId: string
}

export interface Membership extends OwnedVault {
  role: MemberRole
}

/** The role of a member, and what opens the keys of the owner. */
interface FoundMembership {
  role: MemberRole
  owner: Pick<PersonActor, 'kind' | 'userId' | 'integrationId' | 'wrappedMek' | 'nextWrappedMek' | 'mekVersion'>
}

/** Undefined if the vault isn't shared with this person. Read on every call, so a removal takes effect at the next one. */
export async function findMembership(
  db: Reader,
  memberId: string,
  vaultId: string,
): Promise<FoundMembership | undefined> {
  const row = await db
    .selectFrom('vaultMembers as member')
    .innerJoin('users as owner', 'owner.id', 'member.userId')
    .select(['member.userId', 'member.role', 'owner.wrappedMek', 'owner.nextWrappedMek', 'owner.mekVersion'])
    .where('member.memberId', '=', memberId)
    .where('member.vaultId', '=', vaultId)
    .executeTakeFirst()
  if (row === undefined || !isMemberRole(row.role)) return undefined
  const { role, nextWrappedMek, ...owner } = row
  return {
    role,
    owner: { kind: 'person', integrationId: undefined, ...owner, nextWrappedMek: nextWrappedMek ?? undefined },
  }
}

export async function isMember(db: Reader, memberId: string, vaultId: string): Promise<boolean> {
  const query = db
    .selectFrom('vaultMembers')
    .select('role')
    .where('memberId', '=', memberId)
    .where('vaultId', '=', vaultId)
  return (await query.executeTakeFirst()) !== undefined
}

/** The vaults that others share with this person. */
export async function listMemberships(db: Reader, memberId: string): Promise<Membership[]> {
  const rows = await db
    .selectFrom('vaultMembers')
    .select(['userId', 'vaultId', 'role'])
    .where('memberId', '=', memberId)
    .orderBy('vaultId')
    .execute()
  return rows.flatMap(({ role, ...vault }) => (isMemberRole(role) ? [{ ...vault, role }] : []))
}

export interface Member {
  memberId: string
  role: string
  joinedAt: number
}

/** The one who joined first comes first. */
export const listMembers = (db: Reader, { userId, vaultId }: OwnedVault): Promise<Member[]> =>
  db
    .selectFrom('vaultMembers')
    .select(['memberId', 'role', 'joinedAt'])
    .where('userId', '=', userId)
    .where('vaultId', '=', vaultId)
    .orderBy('joinedAt')
    .orderBy('memberId')
    .execute()

/** How many people use each vault of this owner besides them. Vaults without members are missing. */
export async function countMembers(db: Reader, userId: string, only: readonly string[]): Promise<Map<string, number>> {
  if (only.length === 0) return new Map()
  const rows = await db
    .selectFrom('vaultMembers')
    .select((count) => ['vaultId', count.fn.countAll<number>().as('members')])
    .where('userId', '=', userId)
    .where('vaultId', 'in', only)
    .groupBy('vaultId')
    .execute()
  return new Map(rows.map(({ vaultId, members }) => [vaultId, members]))
}

/** False if they are no member. */
export async function setRole(
  tx: Tx,
  { userId, vaultId }: OwnedVault,
  memberId: string,
  role: MemberRole,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('vaultMembers')
    .set({ role })
    .where('userId', '=', userId)
    .where('vaultId', '=', vaultId)
    .where('memberId', '=', memberId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Also withdraws the open invitations that they sent. Returns everyone whose pages change, including the member; undefined if they aren't a
 * member.
 */
export async function deleteMember(tx: Tx, vault: OwnedVault, memberId: string): Promise<string[] | undefined> {
  const uninvited = await withdrawInvitationsBy(tx, vault, memberId)
  const { numDeletedRows } = await tx
    .deleteFrom('vaultMembers')
    .where('userId', '=', vault.userId)
    .where('vaultId', '=', vault.vaultId)
    .where('memberId', '=', memberId)
    .executeTakeFirst()
  return numDeletedRows > 0n ? [memberId, ...uninvited] : undefined
}

/** Who uses a vault besides its owner, or is invited to: everyone whose pages show it. */
export async function listGuests(db: Reader, { userId, vaultId }: OwnedVault): Promise<string[]> {
  const members = await listMembers(db, { userId, vaultId })
  const invitations = await db
    .selectFrom('vaultInvitations')
    .select('invitedId')
    .where('userId', '=', userId)
    .where('vaultId', '=', vaultId)
    .execute()
  return [...members.map(({ memberId }) => memberId), ...peopleIn(invitations)]
}

/** Returns those who were invited. */
export async function withdrawInvitationsBy(
  tx: Tx,
  { userId, vaultId }: OwnedVault,
  memberId: string,
): Promise<string[]> {
  const withdrawn = await tx
    .deleteFrom('vaultInvitations')
    .where('userId', '=', userId)
    .where('vaultId', '=', vaultId)
    .where('invitedBy', '=', memberId)
    .returning('invitedId')
    .execute()
  return peopleIn(withdrawn)
}

const peopleIn = (invitations: readonly { invitedId: string | null }[]): string[] =>
  invitations.flatMap(({ invitedId }) => invitedId ?? [])

export interface Invitation extends OwnedVault {
  id: string
  /** Who may accept; null if nobody had the address when it was invited. */
  invitedId: string | null
  role: string
  invitedBy: string
  invitedAt: number
  /** Empty if it is damaged. */
  email: string
}

export async function insertInvitation(tx: Tx, instance: Instance, { email, ...row }: Invitation): Promise<void> {
  const sealed = sealText(instance.keys, 'content', emailAddress(instance, row), email)
  await tx
    .insertInto('vaultInvitations')
    .values({ ...row, email: sealed })
    .execute()
}

/** The newest first. */
export async function listInvitations(
  db: Reader,
  instance: Instance,
  { userId, vaultId }: OwnedVault,
): Promise<Invitation[]> {
  const rows = await db
    .selectFrom('vaultInvitations')
    .select(invitationColumns)
    .where('userId', '=', userId)
    .where('vaultId', '=', vaultId)
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => openInvitation(instance, row))
}

/** How many open invitations a person has sent to the vaults of an owner. */
export async function countInvitationsBy(db: Reader, userId: string, invitedBy: string): Promise<number> {
  const { sent } = await db
    .selectFrom('vaultInvitations')
    .select((count) => count.fn.countAll<number>().as('sent'))
    .where('userId', '=', userId)
    .where('invitedBy', '=', invitedBy)
    .executeTakeFirstOrThrow()
  return sent
}

/** The invitations to a person. Those by someone whose account is disabled rest until it is enabled. */
export async function listInvitationsOf(db: Reader, instance: Instance, personId: string): Promise<Invitation[]> {
  const rows = await db
    .selectFrom('vaultInvitations')
    .select(invitationColumns)
    .where('invitedId', '=', personId)
    .where('invitedBy', 'not in', (query) => query.selectFrom('users').select('id').where('disabledAt', 'is not', null))
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => openInvitation(instance, row))
}

/** Returns who was invited, if they have an account; undefined if there is no such invitation to the vault any more. */
export async function deleteInvitation(
  tx: Tx,
  { userId, vaultId }: OwnedVault,
  id: string,
): Promise<string[] | undefined> {
  const deleted = await tx
    .deleteFrom('vaultInvitations')
    .where('userId', '=', userId)
    .where('vaultId', '=', vaultId)
    .where('id', '=', id)
    .returning('invitedId')
    .executeTakeFirst()
  return deleted && peopleIn([deleted])
}

/**
 * Someone who is a member already gets this role. Members have no open invitations: one to an address that they had before could bring them
 * back, or to another role, after they were removed.
 */
export async function insertMember(tx: Tx, { userId, vaultId }: OwnedVault, member: Member): Promise<void> {
  await tx
    .deleteFrom('vaultInvitations')
    .where('userId', '=', userId)
    .where('vaultId', '=', vaultId)
    .where('invitedId', '=', member.memberId)
    .execute()
  await tx
    .insertInto('vaultMembers')
    .values({ userId, vaultId, ...member })
    .onConflict((known) => known.columns(['userId', 'vaultId', 'memberId']).doUpdateSet({ role: member.role }))
    .execute()
}

const invitationColumns = ['userId', 'vaultId', 'id', 'invitedId', 'role', 'invitedBy', 'invitedAt', 'email'] as const

type InvitationRow = Omit<Invitation, 'email'> & { email: Sealed }

const openInvitation = (instance: Instance, { email, ...row }: InvitationRow): Invitation => ({
  ...row,
  email: openIntactText(instance, emailAddress(instance, row), email) ?? '',
})

// The revision is always 1: a new invitation has a new id.
const emailAddress = (instance: Instance, { userId, id }: Pick<Invitation, 'userId' | 'id'>): CellAddress => ({
  userId,
  scopeId: instance.id,
  table: 'vaultInvitations',
  rowId: id,
  column: 'email',
  revision: 1,
})
