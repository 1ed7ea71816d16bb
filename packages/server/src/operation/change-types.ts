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
  memory: ['memories'],
  // A task is a memory with a state.
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
  webhook: ['webhooks'],
  user: ['account'],
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
  const known = words.includes('track') ? ['track'] : words
  return [...new Set(known.flatMap((word) => byWord[word] ?? []))]
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
