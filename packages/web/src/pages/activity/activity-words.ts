import type { ActivityEntry } from '@holdfast/client/dashboard'

/** What an entry says, in words. Operations are named after what they do: a verb, and what it is done to. */

const verbs: Readonly<Record<string, string>> = {
  write: 'Wrote',
  create: 'Made',
  add: 'Made',
  make: 'Made',
  update: 'Changed',
  edit: 'Changed',
  change: 'Changed',
  rate: 'Rated',
  archive: 'Archived',
  restore: 'Restored',
  recover: 'Restored',
  erase: 'Erased',
  delete: 'Deleted',
  discard: 'Put into the trash:',
  remove: 'Removed',
  cleanup: 'Cleaned up',
  merge: 'Merged',
  move: 'Moved',
  relocate: 'Moved',
  rename: 'Renamed',
  link: 'Linked',
  unlink: 'Took apart',
  send: 'Sent',
  post: 'Sent',
  ack: 'Acknowledged',
  acknowledge: 'Acknowledged',
  import: 'Imported',
  export: 'Exported',
  revert: 'Took back',
  read: 'Read',
  get: 'Read',
  list: 'Listed',
  search: 'Searched',
  explore: 'Explored',
  rotate: 'Rotated',
  revoke: 'Revoked',
  test: 'Tested',
  redeliver: 'Sent again:',
  end: 'Ended',
  confirm: 'Confirmed',
  renew: 'Renewed',
  reset: 'Reset',
  decide: 'Decided on',
  trust: 'Set the trust in',
  expire: 'Archived as expired:',
}

const whole: Readonly<Record<string, string>> = {
  login: 'Signed in',
  logout: 'Signed out',
  'change-password': 'Changed the password',
  'rotate-root-key': 'Changed the root key',
  'change-email': 'Changed the e-mail address',
  'update-user': 'Changed their name',
  'edit-default-document': 'Changed a document for all vaults',
  'update-trash-settings': 'Changed how long archived records are kept',
  'create-backup': 'Made a backup of the server',
  'verify-backup': 'Checked a backup of the server',
  'delete-backup': 'Deleted a backup of the server',
  setup: 'Set up the account',
  'operator-setup': 'Set up the account',
  'session-start': 'Began a session',
  'session-track': 'Told of its run',
  'context-checkpoint': 'Saved a session',
  'ingest-turn': 'Handed in a turn of a conversation',
  'pending-messages': 'Looked for messages',
  'semantic-search': 'Searched by meaning',
  'search-and-read': 'Searched and read',
  'set-up-totp': 'Began to set up a second factor',
  'begin-passkey': 'Began to add a passkey',
  'add-passkey': 'Added a passkey',
  'passkey-login': 'Signed in with a passkey',
  info: 'Asked who it is',
  'apply-retention': 'Deleted what was old enough',
  'extract-turns': 'Made memories of conversations',
}

export function describeOperation({ operation, status }: Pick<ActivityEntry, 'operation' | 'status'>): string {
  if (operation === 'login' && status >= 400) return 'Failed to sign in'
  if (operation === 'passkey-login' && status >= 400) return 'Failed to sign in with a passkey'
  const known = whole[operation]
  if (known !== undefined) return known
  const [verb = '', ...rest] = operation.split('-')
  const done = verbs[verb]
  return done === undefined ? operation : `${done} ${describeObject(rest)}`
}

function describeObject(words: readonly string[]): string {
  const object = words.join(' ')
  if (object === 'totp') return 'the second factor'
  if (words.length !== 1 || object.endsWith('s')) return object
  return `${/^[aeiou]/.test(object) ? 'an' : 'a'} ${object}`
}

export function describeActor({ actor, label, keyLast4 }: Pick<ActivityEntry, 'actor' | 'label' | 'keyLast4'>): string {
  if (actor === 'agent')
    return label ?? (keyLast4 === null ? 'An agent that is gone' : `The key that ends with ${keyLast4}`)
  return { person: 'You', operator: 'Command line', service: 'Holdfast', stranger: 'Somebody' }[actor]
}

const refusals: Readonly<Record<number, string>> = {
  400: 'Not understood',
  401: 'Not let in',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Conflict',
  413: 'Too large',
  429: 'Too many',
}

export const describeStatus = (status: number) =>
  status < 400 ? 'Done' : (refusals[status] ?? (status >= 500 ? 'Failed' : 'Refused'))
