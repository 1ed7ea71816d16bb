import type { Vault, VaultMember } from '@holdfast/client/dashboard'
import { createContext, use } from 'react'

/** What people may do in a vault. Each role includes those before it. */
const roles = ['viewer', 'editor', 'admin', 'owner'] as const
export type Role = VaultMember['role']
export type MemberRole = Exclude<Role, 'owner'>

/** The person's own vaults name no role. */
export const roleIn = ({ role }: Pick<Vault, 'role'>): Role => role ?? 'owner'

const includesRole = (held: Role, needed: Role): boolean => roles.indexOf(held) >= roles.indexOf(needed)

/** The person's role in the vault that the page shows. */
export const RoleContext = createContext<Role>('owner')

/**
 * Whether the person may do what needs this role in the vault that the page shows. The server decides; this decides what pages offer.
 * While vaults load, everything is offered, because most vaults are one's own, and their pages must not move.
 */
export const useMay = (needed: Role): boolean => includesRole(use(RoleContext), needed)

/** Whether the person may change the vault's name, settings and members. */
export const mayManage = (vault: Pick<Vault, 'role'>): boolean => includesRole(roleIn(vault), 'admin')

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

/** Who shares a vault with the person, and as what; undefined for one of their own. */
export const describeSharing = ({ role, owner }: Pick<Vault, 'role' | 'owner'>): string | undefined =>
  role === undefined || owner === undefined ? undefined : `Shared by ${namePerson(owner)} · ${labelRole(role)}`
