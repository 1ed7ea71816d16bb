import { z } from 'zod'
import { findIdByEmail, findPeople } from '../auth/person-store.ts'
import { lockUser } from '../auth/store.ts'
import { memberRoles, type MemberRole } from '../auth/vault-roles.ts'
import { forbidden, invalid, notFound } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { Tx } from '../db/dialect.ts'
import * as fields from '../operation/fields.ts'
import type { PersonVaultContext } from '../operation/context.ts'
import { operation } from '../operation/operation.ts'
import {
  countInvitationsBy,
  deleteInvitation,
  insertInvitation,
  listInvitations,
  listMembers,
  type OwnedVault,
  setRole,
  withdrawInvitationsBy,
} from './member-store.ts'
import { refuseFormerAdmin } from './shared-vault.ts'

/** Members and open invitations of one vault. */
const maxPeople = 100

/**
 * Open invitations that one person has sent, in all vaults of the owner: two full vaults. Without it, anyone could fill the store and
 * the pages of others by creating more vaults. Counted by owner, because the lock on the owner makes the count exact.
 */
const maxSent = 200

export const shareRecord = z.looseObject({
  vaultId: z.uuid(),
  email: z.string(),
  role: z.enum(memberRoles),
  invited: z.boolean().describe('False if they are a member: their role changed at once.'),
})

export const shareVault = operation({
  name: 'share-vault',
  for: { person: 'POST /api/vaults/members' },
  vault: 'required',
  leastRole: 'admin',
  summary:
    'Invite a person to a vault by their email address, or change the role of a member, also by their id. The answer is the same whether or not someone here has the address; if nobody has, nobody can accept, not even someone who gets it later.',
  effect: 'write',
  changes: ['vaults'],
  needs: [['email'], ['userId']],
  input: z.object({
    ...fields.ownVault,
    email: fields.email.optional().describe('Invites who has it, or changes their role if they are a member.'),
    userId: z
      .uuid()
      .optional()
      .describe(
        'A member, instead of an address: their role changes, and someone who is no longer a member is not invited.',
      ),
    role: z
      .enum(memberRoles)
      .describe(
        '`viewer` reads; `editor` also writes and removes records; `admin` also changes settings, documents and members, and deletes permanently.',
      ),
  }),
  output: shareRecord,
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001', email: 'grace@example.org', role: 'editor' },
    output: {
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      email: 'grace@example.org',
      role: 'editor',
      invited: true,
    },
  },
  async run({ email, userId, role }, ctx) {
    const { db, instance, news, vault } = ctx
    if ((email === undefined) === (userId === undefined)) throw invalid({ email: 'give either email or userId' })
    const place = { userId: vault.userId, vaultId: vault.id }
    const { affected, ...shared } = await db.write(async (tx) => {
      // Of two invitations at once, the second sees the first.
      await lockUser(tx, vault.userId)
      await refuseFormerAdmin(tx, ctx)
      if (userId === undefined) return inviteOrChange(tx, ctx, place, { email: email ?? '', role })
      const people = await findPeople(tx, instance, [userId])
      return { ...(await changeRole(tx, place, userId, role)), email: people.get(userId)?.email ?? '' }
    })
    // Their pages show the invitation, or what they may do now.
    for (const personId of affected) news.announce(personId, undefined, ['vaults'])
    return { vaultId: vault.id, role, ...shared }
  },
})

interface Share {
  email: string
  role: MemberRole
}

interface Shared {
  email: string
  invited: boolean
  /** Everyone whose pages change. */
  affected: string[]
}

async function inviteOrChange(
  tx: Tx,
  { actor, instance, now }: Pick<PersonVaultContext, 'actor' | 'instance' | 'now'>,
  place: OwnedVault,
  { email, role }: Share,
): Promise<Shared> {
  // Done for each address, so that the answer takes as long for one that no one here has.
  const personId = await findIdByEmail(tx, instance, email)
  if (personId === place.userId) throw invalid({ email: 'is the address of the owner of this vault' })
  const members = await listMembers(tx, place)
  if (personId !== undefined && members.some(({ memberId }) => memberId === personId))
    return { ...(await changeRole(tx, place, personId, role)), email }
  // Not of members, who may have had their address before this was checked.
  if (!fields.isPlainAddress(email)) throw invalid({ email: fields.notPlain })
  const invitations = await listInvitations(tx, instance, place)
  const former = invitations.find((one) => one.email.toLowerCase() === email.toLowerCase())
  const uninvited = former === undefined ? [] : await deleteInvitation(tx, place, former.id)
  if (former === undefined && members.length + invitations.length >= maxPeople)
    throw forbidden(`A vault can have at most ${maxPeople} members and invitations. Remove one first`)
  if ((await countInvitationsBy(tx, place.userId, actor.userId)) >= maxSent)
    throw forbidden(`You have ${maxSent} open invitations, which is the limit. Withdraw one first`)
  await insertInvitation(tx, instance, {
    ...place,
    id: newId(),
    invitedId: personId ?? null,
    role,
    invitedBy: actor.userId,
    invitedAt: now(),
    email,
  })
  return { email, invited: true, affected: [...(uninvited ?? []), ...(personId === undefined ? [] : [personId])] }
}

async function changeRole(
  tx: Tx,
  place: OwnedVault,
  memberId: string,
  role: MemberRole,
): Promise<Pick<Shared, 'invited' | 'affected'>> {
  if (!(await setRole(tx, place, memberId, role))) throw notFound('Member')
  const uninvited = role === 'admin' ? [] : await withdrawInvitationsBy(tx, place, memberId)
  return { invited: false, affected: [memberId, ...uninvited] }
}
