import { z } from 'zod'
import { lockUser } from '../auth/store.ts'
import { includesRole } from '../auth/vault-roles.ts'
import { forbidden, invalid, notFound } from '../core/errors.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { deleteInvitation, deleteMember } from './member-store.ts'
import { refuseFormerAdmin } from './shared-vault.ts'

export const deleteVaultMember = operation({
  name: 'delete-vault-member',
  for: { person: 'DELETE /api/vaults/members' },
  vault: 'required',
  // To leave. Removing someone else needs more, see below.
  leastRole: 'viewer',
  summary:
    'Remove a member from a vault, leave a vault yourself, or withdraw an invitation. The next call of a removed person finds nothing.',
  effect: 'destructive',
  changes: ['vaults'],
  needs: [['userId'], ['invitationId']],
  input: z.object({
    ...fields.ownVault,
    userId: z.uuid().optional().describe('The member. Your own id: you leave the vault.'),
    invitationId: z.uuid().optional().describe('The invitation to withdraw, instead of a member.'),
  }),
  output: z.looseObject({ vaultId: z.uuid(), deleted: z.literal(true) }),
  examples: {
    input: {
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      userId: '0198c5f0-0000-7000-8000-000000000020',
    },
    output: { vaultId: '0198c5f0-0000-7000-8000-000000000001', deleted: true },
  },
  async run({ userId, invitationId }, ctx) {
    const { actor, db, news, vault } = ctx
    if ((userId === undefined) === (invitationId === undefined))
      throw invalid({ userId: 'give either userId or invitationId' })
    if (userId !== actor.userId && !includesRole(vault.role ?? 'viewer', 'admin'))
      throw forbidden('Only the owner of the vault and admins can remove others. You can leave with your own id.')
    if (userId === vault.userId) throw forbidden("The owner can't leave their vault. Delete it instead.")
    const place = { userId: vault.userId, vaultId: vault.id }
    const affected = await db.write(async (tx) => {
      await lockUser(tx, vault.userId)
      if (userId !== actor.userId) await refuseFormerAdmin(tx, ctx)
      const deleted =
        userId === undefined
          ? await deleteInvitation(tx, place, invitationId ?? '')
          : await deleteMember(tx, place, userId)
      if (deleted === undefined) throw notFound(userId === undefined ? 'Invitation' : 'Member')
      return deleted
    })
    // Also ends what their pages hear of the vault.
    for (const personId of affected) news.announce(personId, undefined, ['vaults'])
    return { vaultId: vault.id, deleted: true } as const
  },
})
