import type { ActivityEntry } from '@holdfast/client/dashboard'
import { namePerson } from '../../components/records/people.ts'

/** Describes activity entries in words. An operation's name is a verb and its object. */

const verbs: Readonly<Record<string, string>> = {
  write: 'Wrote',
  create: 'Created',
  add: 'Created',
  update: 'Updated',
  archive: 'Archived',
  restore: 'Restored',
  erase: 'Permanently deleted',
  delete: 'Deleted',
  remove: 'Removed',
  cleanup: 'Cleaned up',
  merge: 'Merged',
  move: 'Moved',
  link: 'Linked',
  unlink: 'Unlinked',
  send: 'Sent',
  ack: 'Acknowledged',
  acknowledge: 'Acknowledged',
  import: 'Imported',
  export: 'Exported',
  revert: 'Undid',
  read: 'Read',
  get: 'Read',
  list: 'Listed',
  search: 'Searched',
  explore: 'Explored',
  rotate: 'Rotated',
  revoke: 'Revoked',
  test: 'Tested',
  redeliver: 'Retried failed deliveries of',
  end: 'Ended',
  confirm: 'Confirmed',
  renew: 'Renewed',
  reset: 'Reset',
  decide: 'Decided on',
  trust: 'Changed the trust level of',
  expire: 'Archived expired',
}

const whole: Readonly<Record<string, string>> = {
  'delete-note': 'Moved a note to the trash',
  'share-vault': 'Shared a vault',
  'delete-vault-member': 'Removed a vault’s member or invitation',
  'decide-invitation': 'Answered an invitation to a vault',
  'log-in': 'Signed in',
  'log-out': 'Signed out',
  'rotate-encryption-keys': 'Rotated encryption keys',
  'update-sign-in': 'Changed the email address or password',
  'update-user': 'Changed a user',
  'update-default-document': 'Updated a document for all vaults',
  'update-document-rules': 'Changed the rules of a document',
  'create-backup': 'Created a server backup',
  'verify-backup': 'Verified a server backup',
  'delete-backup': 'Deleted a server backup',
  'set-up': 'Set up the account',
  'session-start': 'Started a session',
  'session-track': 'Sent a heartbeat',
  'context-checkpoint': 'Saved a session',
  'ingest-turn': 'Recorded a turn',
  'pending-messages': 'Checked for messages',
  'semantic-search': 'Searched by meaning',
  'search-and-read': 'Searched and read',
  'set-up-totp': 'Started setting up a second factor',
  'begin-passkey': 'Started adding a passkey',
  'create-passkey': 'Added a passkey',
  'update-passkey': 'Renamed a passkey',
  'delete-passkey': 'Removed a passkey',
  'delete-totp': 'Removed the second factor',
  'log-in-with-passkey': 'Signed in with a passkey',
  info: 'Checked its identity',
  'check-stored-data': 'Repaired damaged records',
  'apply-retention': 'Deleted records past their retention period',
  'extract-turns': 'Extracted memories from conversations',
}

export function describeOperation({ operation, status }: Pick<ActivityEntry, 'operation' | 'status'>): string {
  if (operation === 'log-in' && status >= 400) return 'Failed to sign in'
  if (operation === 'log-in-with-passkey' && status >= 400) return 'Failed to sign in with a passkey'
  return nameOperation(operation)
}

/** An operation in words, whatever became of its calls. */
export function nameOperation(operation: string): string {
  const known = whole[operation]
  if (known !== undefined) return known
  const [verb = '', ...rest] = operation.split('-')
  const done = verbs[verb]
  return done === undefined ? operation : `${done} ${describeObject(rest)}`
}

/** Where the API's word isn't the dashboard's. */
const terms: Readonly<Record<string, string>> = { integration: 'agent', integrations: 'agents' }

function describeObject(words: readonly string[]): string {
  const object = words.map((word) => terms[word] ?? word).join(' ')
  if (object === 'totp') return 'the second factor'
  if (words.length !== 1 || object.endsWith('s')) return object
  // By sound: "a user".
  return `${/^(?!us)[aeiou]/.test(object) ? 'an' : 'a'} ${object}`
}

type Caller = Pick<ActivityEntry, 'actor' | 'label' | 'keyLast4' | 'member'>

export function describeActor({ actor, label, keyLast4, member }: Caller): string {
  if (member !== null) return namePerson(member) ?? 'Deleted member'
  if (actor === 'agent') return label ?? (keyLast4 === null ? 'Deleted agent' : `Key ending in ${keyLast4}`)
  return { person: 'You', operator: 'Command line', service: 'Holdfast', stranger: 'Unknown' }[actor]
}

const refusals: Readonly<Record<number, string>> = {
  400: 'Invalid',
  401: 'Denied',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Conflict',
  413: 'Too large',
  429: 'Rate-limited',
}

export const describeStatus = (status: number) =>
  status < 400 ? 'Done' : (refusals[status] ?? (status >= 500 ? 'Failed' : 'Refused'))
