import { z } from 'zod'
import { lockUser } from '../auth/store.ts'
import { isMemberRole } from '../auth/vault-roles.ts'
import { notFound } from '../core/errors.ts'
import { operation } from '../operation/operation.ts'
import { deleteInvitation, insertMember, listInvitationsOf } from './member-store.ts'
import { exampleInvitation } from './member.ts'

export const decideInvitation = operation({
  name: 'decide-invitation',
  for: { person: 'POST /api/vaults/invitations/decide' },
  summary: 'Accept or decline an invitation to a vault. list-vaults shows yours.',
  effect: 'write',
  changes: ['vaults'],
  input: z.object({
    id: z.uuid().describe('Id of the invitation.'),
    accept: z.boolean().describe('true: you become a member. false: the invitation is deleted.'),
  }),
  output: z.looseObject({
    id: z.uuid(),
    accepted: z.boolean(),
    vaultId: z.uuid().nullable().describe('The vault that you can use now; null if you declined.'),
  }),
  examples: {
    input: { id: exampleInvitation.id, accept: true },
    output: { id: exampleInvitation.id, accepted: true, vaultId: '0198c5f0-0000-7000-8000-000000000001' },
  },
  async run({ id, accept }, { actor, db, instance, news, now }) {
    const invitation = (await listInvitationsOf(db.read, instance, actor.userId)).find((one) => one.id === id)
    if (invitation === undefined || !isMemberRole(invitation.role)) throw notFound('Invitation')
    const { userId, vaultId, role } = invitation
    await db.write(async (tx) => {
      await lockUser(tx, userId)
      // Whoever withdrew it in the meantime was first.
      if ((await deleteInvitation(tx, { userId, vaultId }, id)) === undefined) throw notFound('Invitation')
      const member = { memberId: actor.userId, role, joinedAt: now() }
      // The address may be the owner's by now.
      if (accept && userId !== actor.userId) await insertMember(tx, { userId, vaultId }, member)
    })
    news.announce(userId, vaultId, ['vaults'])
    return { id, accepted: accept, vaultId: accept ? vaultId : null }
  },
})
