import type { Preset } from './vault-access.ts'

/** What people may do in a vault that is shared with them. Each role includes the ones before it; only the owner does not need one. */
export const memberRoles = ['viewer', 'editor', 'admin'] as const
export type MemberRole = (typeof memberRoles)[number]

export const roles = [...memberRoles, 'owner'] as const
export type Role = (typeof roles)[number]

export const isMemberRole = (text: string): text is MemberRole => (memberRoles as readonly string[]).includes(text)

export const includesRole = (held: Role, needed: Role): boolean => roles.indexOf(held) >= roles.indexOf(needed)

/** The role as the preset that agents have. */
export const presetOfRole: Readonly<Record<Role, Preset>> = {
  viewer: 'read_only',
  editor: 'read_write',
  admin: 'admin',
  owner: 'admin',
}
