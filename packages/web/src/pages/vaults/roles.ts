import type { Vault, VaultMember } from '@holdfast/client/dashboard'

/** Roles of people in shared vaults, as pages show them. */

type Role = VaultMember['role']
export type MemberRole = Exclude<Role, 'owner'>

/** From the least to the most. */
export const memberRoles: readonly { value: MemberRole; label: string; may: string }[] = [
  { value: 'viewer', label: 'Viewer', may: 'Reads and searches everything in the vault.' },
  { value: 'editor', label: 'Editor', may: 'Also adds, changes and removes records.' },
  { value: 'admin', label: 'Admin', may: 'Also changes settings, documents and members, and deletes permanently.' },
]

export const labelRole = (role: Role): string => memberRoles.find(({ value }) => value === role)?.label ?? 'Owner'

/** With its article, in a sentence. */
export const describeRole = (role: MemberRole): string => (role === 'viewer' ? 'a viewer' : `an ${role}`)

/** The display name, or the address. */
export const namePerson = ({ name, email }: { name: string | null; email: string }): string =>
  name ?? (email === '' ? 'A deleted account' : email)

/** Whether this person may change the vault's name and members. */
export const mayManage = ({ role }: Pick<Vault, 'role'>): boolean => role === undefined || role === 'admin'
