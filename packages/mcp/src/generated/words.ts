// Written by `npm run generate` from the server; do not edit.

/** The relations of links. */
export const relationTypes = [
  'wiki_link',
  'derived_from',
  'contradicts',
  'refines',
  'part_of',
  'supersedes',
  'source_of',
  'references',
  'manual',
] as const

/** The toolsets of the operations' tools. */
export const toolsets = [
  'session',
  'memory',
  'tasks',
  'notes',
  'graph',
  'messages',
  'documents',
  'vaults',
  'admin',
  'hooks',
] as const

/** The scopes of a key, by the preset of its integration or vault. */
export const presetScopes: Readonly<Record<string, readonly string[]>> = {
  read_only: ['read', 'search'],
  read_write: ['read', 'write', 'search'],
  admin: ['read', 'write', 'search', 'admin'],
}
