import { z } from 'zod'
import type { PersonProfile } from '../auth/person-store.ts'
import { memberRoles, roles } from '../auth/vault-roles.ts'
import { isoTime } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import type { Invitation, Member } from './member-store.ts'

/** People who share a vault, in answers. */

const person = {
  userId: z.uuid(),
  email: z.string().describe('Empty if the account was deleted or is damaged.'),
  name: z.string().nullable().describe('Display name; null if not set.'),
}

export const personRecord = z.looseObject(person).meta({ id: 'Person' })

export const memberRecord = z
  .looseObject({
    ...person,
    role: z.enum(roles),
    joinedAt: fields.timestamp.nullable().describe('null for the owner.'),
  })
  .meta({ id: 'VaultMember' })

/** `role`: an unknown one, which a newer version may have stored, is shown as the least. */
const knownRole = z.enum(memberRoles).catch('viewer')

export const invitationRecord = z
  .looseObject({
    id: z.uuid(),
    email: z.string().describe('The invited address.'),
    role: z.enum(memberRoles),
    invitedBy: personRecord,
    invitedAt: fields.timestamp,
  })
  .meta({ id: 'VaultInvitation' })

export type People = ReadonlyMap<string, PersonProfile>

export const describePerson = (userId: string, people: People): z.infer<typeof personRecord> => {
  const known = people.get(userId)
  return { userId, email: known?.email ?? '', name: known?.name ?? null }
}

export const describeMember = ({ memberId, role, joinedAt }: Member, people: People): z.infer<typeof memberRecord> => ({
  ...describePerson(memberId, people),
  role: knownRole.parse(role),
  joinedAt: isoTime(joinedAt),
})

export const describeInvitation = (
  { id, email, role, invitedBy, invitedAt }: Invitation,
  people: People,
): z.infer<typeof invitationRecord> => ({
  id,
  email,
  role: knownRole.parse(role),
  invitedBy: describePerson(invitedBy, people),
  invitedAt: isoTime(invitedAt),
})

export const examplePerson: z.infer<typeof personRecord> = {
  userId: '0198c5f0-0000-7000-8000-000000000010',
  email: 'ada@example.org',
  name: 'Ada',
}

export const exampleInvitation: z.infer<typeof invitationRecord> = {
  id: '0198c5f0-0000-7000-8000-000000000d01',
  email: 'grace@example.org',
  role: 'editor',
  invitedBy: examplePerson,
  invitedAt: '2026-11-21T09:00:00.000Z',
}
