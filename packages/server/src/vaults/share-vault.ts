import { z } from 'zod'
import { findIdByEmail } from '../auth/person-store.ts'
import { lockUser } from '../auth/store.ts'
import { memberRoles, type MemberRole } from '../auth/vault-roles.ts'
import { forbidden, invalid } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { Tx } from '../db/dialect.ts'
import * as fields from '../operation/fields.ts'
import type { PersonVaultContext } from '../operation/context.ts'
import { operation } from '../operation/operation.ts'
import {
  deleteInvitation,
  insertInvitation,
  listInvitations,
  listMembers,
  setRole,
  withdrawInvitationsBy,
} from './member-store.ts'
import { refuseFormerAdmin } from './shared-vault.ts'

/** Members and open invitations of one vault. */
const maxPeople = 100

export const shareVault = operation({
  name: 'share-vault',
  for: { person: 'POST /api/vaults/members' },
  vault: 'required',
  leastRole: 'admin',
  summary:
    'Invite a person to a vault by their email address, or change the role of a member. The answer is the same whether or not someone here has the address; if nobody has, nobody can accept, not even someone who gets it later.',
  effect: 'write',
  changes: ['vaults'],
  input: z.object({
    ...fields.ownVault,
    email: fields.email,
    role: z
      .enum(memberRoles)
      .describe(
        '`viewer` reads; `editor` also writes and removes records; `admin` also changes settings, documents and members, and deletes permanently.',
      ),
  }),
  output: z.looseObject({
    vaultId: z.uuid(),
    email: z.string(),
    role: z.enum(memberRoles),
    invited: z.boolean().describe('False if they are a member: their role changed at once.'),
  }),
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001', email: 'grace@example.org', role: 'editor' },
    output: {
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      email: 'grace@example.org',
      role: 'editor',
      invited: true,
    },
  },
  async run({ email, role }, ctx) {
    const { db, news, vault } = ctx
    const place = { userId: vault.userId, vaultId: vault.id }
    const { personId, invited } = await db.write(async (tx) => {
      // Of two invitations at once, the second sees the first.
      await lockUser(tx, vault.userId)
      await refuseFormerAdmin(tx, ctx)
      return inviteOrChange(tx, ctx, place, { email, role })
    })
    // Their pages show the invitation, or what they may do now.
    if (personId !== undefined) news.announce(personId, undefined, ['vaults'])
    return { vaultId: vault.id, email, role, invited }
  },
})

interface Share {
  email: string
  role: MemberRole
}

async function inviteOrChange(
  tx: Tx,
  { actor, instance, now }: Pick<PersonVaultContext, 'actor' | 'instance' | 'now'>,
  place: { userId: string; vaultId: string },
  { email, role }: Share,
): Promise<{ personId: string | undefined; invited: boolean }> {
  // Done for each address, so that the answer takes as long for one that no one here has.
  const personId = await findIdByEmail(tx, instance, email)
  if (personId === place.userId) throw invalid({ email: 'is the address of the owner of this vault' })
  const members = await listMembers(tx, place)
  if (personId !== undefined && members.some(({ memberId }) => memberId === personId)) {
    if (role !== 'admin') await withdrawInvitationsBy(tx, place, personId)
    await setRole(tx, place, personId, role)
    return { personId, invited: false }
  }
  const invitations = await listInvitations(tx, instance, place)
  const former = invitations.find((one) => one.email.toLowerCase() === email.toLowerCase())
  if (former !== undefined) await deleteInvitation(tx, place, former.id)
  else if (members.length + invitations.length >= maxPeople)
    throw forbidden(`A vault can have at most ${maxPeople} members and invitations. Remove one first`)
  await insertInvitation(tx, instance, {
    ...place,
    id: newId(),
    invitedId: personId ?? null,
    role,
    invitedBy: actor.userId,
    invitedAt: now(),
    email,
  })
  return { personId, invited: true }
}
