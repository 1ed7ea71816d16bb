import { z } from 'zod'
import { findPeople } from '../auth/person-store.ts'
import { includesRole } from '../auth/vault-roles.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { listInvitations, listMembers } from './member-store.ts'
import {
  describeInvitation,
  describeMember,
  describePerson,
  exampleInvitation,
  examplePerson,
  invitationRecord,
  memberRecord,
} from './member.ts'

export const memberList = z.looseObject({
  members: z.array(memberRecord),
  invitations: z.array(invitationRecord).describe('Empty for viewers and editors.'),
})

export const listVaultMembers = operation({
  name: 'list-vault-members',
  for: { person: 'GET /api/vaults/members' },
  vault: 'required',
  summary: 'List who can use a vault, the owner first, and for the owner and admins the open invitations.',
  effect: 'read',
  outdatedBy: ['vaults', 'account'],
  input: z.object({ ...fields.ownVault }),
  output: memberList,
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001' },
    output: {
      members: [
        { ...examplePerson, role: 'owner', joinedAt: null },
        {
          userId: '0198c5f0-0000-7000-8000-000000000020',
          email: 'mary@example.org',
          name: 'Mary',
          role: 'viewer',
          joinedAt: '2026-11-21T09:00:00.000Z',
        },
      ],
      invitations: [exampleInvitation],
    },
  },
  async run(_input, { db, instance, vault }) {
    const place = { userId: vault.userId, vaultId: vault.id }
    const members = await listMembers(db.read, place)
    const mayInvite = includesRole(vault.role ?? 'viewer', 'admin')
    const invitations = mayInvite ? await listInvitations(db.read, instance, place) : []
    const ids = [...members.map(({ memberId }) => memberId), ...invitations.map(({ invitedBy }) => invitedBy)]
    const people = await findPeople(db.read, instance, [vault.userId, ...ids])
    return {
      members: [
        { ...describePerson(vault.userId, people), role: 'owner' as const, joinedAt: null },
        ...members.map((member) => describeMember(member, people)),
      ],
      invitations: invitations.map((one) => describeInvitation(one, people)),
    }
  },
})
