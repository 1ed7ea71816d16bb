import type { Operation } from './operation.ts'

/** What may have changed, as people's pages know it. Read off an operation's name, so that a new one needs no line here. */

export const changeTypes = [
  'memories',
  'tasks',
  'notes',
  'links',
  'messages',
  'documents',
  'runs',
  'agents',
  'vaults',
  'settings',
  'webhooks',
  'account',
] as const
export type ChangeType = (typeof changeTypes)[number]

const byWord: Readonly<Record<string, readonly ChangeType[]>> = {
  // A task is a memory with a state: what is done to memories is done to tasks.
  memory: ['memories', 'tasks'],
  task: ['tasks', 'memories'],
  note: ['notes'],
  folder: ['notes'],
  link: ['links'],
  node: ['links'],
  message: ['messages'],
  document: ['documents'],
  run: ['runs', 'memories', 'tasks', 'notes'],
  turn: ['runs', 'memories'],
  checkpoint: ['runs', 'memories', 'tasks'],
  review: ['memories', 'links'],
  track: ['runs'],
  record: ['memories', 'tasks', 'notes', 'links', 'messages', 'documents', 'runs'],
  import: ['memories', 'tasks', 'notes', 'links', 'messages', 'documents', 'runs'],
  integration: ['agents'],
  key: ['agents'],
  vault: ['vaults'],
  settings: ['settings'],
  backup: ['settings'],
  webhook: ['webhooks'],
  user: ['account'],
  email: ['account'],
  setup: ['account'],
  login: ['account'],
  logout: ['account'],
  session: ['account'],
  password: ['account'],
  factor: ['account'],
  totp: ['account'],
  passkey: ['account'],
  token: ['account'],
  code: ['account'],
}

const singular = (word: string) => (word === 'memories' ? 'memory' : word.replace(/(?<!setting)s$/, ''))

/** What a call that succeeded may have changed; nothing for one that only reads. */
export function changesOf({ name, effect }: Pick<Operation, 'name' | 'effect'>): readonly ChangeType[] {
  if (effect === 'read') return []
  const words = name.split('-').map(singular)
  // A session of an agent, not one of a person.
  // And the root key is no agent's.
  const known = words.includes('track') ? ['track'] : words.includes('root') ? ['settings'] : words
  return [...new Set(known.flatMap((word) => byWord[word] ?? []))]
}

/** Whose records have a page of their own, and so an address. */
export const recordTypes = ['memories', 'tasks', 'notes', 'messages', 'runs', 'agents', 'webhooks'] as const
export type RecordType = (typeof recordTypes)[number]

const recordTypeByNoun: Readonly<Record<string, RecordType>> = {
  memory: 'memories',
  task: 'tasks',
  note: 'notes',
  mention: 'notes',
  message: 'messages',
  run: 'runs',
  integration: 'agents',
  webhook: 'webhooks',
}

/** Of which kind the record is that a call of this operation names. Null for folders, keys, links and whatever has no page. */
export function recordTypeOf(name: string): RecordType | null {
  const noun = name
    .split('-')
    .map(singular)
    .findLast((word) => word in recordTypeByNoun)
  return noun === undefined ? null : (recordTypeByNoun[noun] ?? null)
}

/** What people tell apart when they look back. */
export const activityClasses = ['content', 'settings', 'sign-in', 'export', 'read'] as const
export type ActivityClass = (typeof activityClasses)[number]

export function classOfActivity(operation: Pick<Operation, 'name' | 'effect'>): ActivityClass {
  if (operation.name.startsWith('export-')) return 'export'
  const changes = changesOf(operation)
  const [first] = changes
  if (first === undefined) return 'read'
  if (first === 'account') return 'sign-in'
  return ['agents', 'vaults', 'settings', 'webhooks'].includes(first) ? 'settings' : 'content'
}
