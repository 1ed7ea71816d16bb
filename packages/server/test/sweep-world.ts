import { newId } from '../src/core/ids.ts'
import type { Route } from '../src/operation/operation.ts'
import type { Answer, TestApp } from './app.ts'
import {
  makeAgentKey,
  makeIntegration,
  makeInvitation,
  makeMember,
  makePasskey,
  makeSession,
  makeUser,
  makeVault,
  makeWebhook,
  type TestUser,
  type UserOverrides,
} from './factories.ts'

/** A person with one of everything, so every operation has something to work on. */
export interface World {
  user: TestUser
  secondVaultId: string
  integrationId: string
  key: string
  keyId: string
  memoryId: string
  /** Archived, so it can be deleted permanently. */
  archivedMemoryId: string
  /** In the second vault. */
  memoryElsewhereId: string
  noteId: string
  folderId: string
  /** Without notes, so it can be deleted. */
  emptyFolderId: string
  /** To everyone, from another agent. */
  messageId: string
  taskId: string
  /** From `memoryId` to `linkedMemoryId`. */
  linkId: string
  linkedMemoryId: string
  /** Inactive, so nothing is sent, with one delivery. */
  webhookId: string
  deliveryId: string
  /** An import that created one note. */
  importId: string
  /** Of a browser. */
  sessionId: string
  passkeyId: string
  runId: string
  turnId: string
  /** In the trash, so it can be deleted permanently. */
  trashedNoteId: string
  /** A viewer of the first vault. */
  memberId: string
  /** To a vault of the same person. */
  invitationId: string
}

export async function makeWorld(test: TestApp, over: UserOverrides = {}): Promise<World> {
  const user = await makeUser(test, over)
  const [secondVaultId, integrationId] = await Promise.all([
    makeVault(test, user),
    makeIntegration(test, user, { preset: 'admin' }),
  ])
  const key = await makeAgentKey(test, user, integrationId)
  const make = async (name: string, body: Record<string, unknown>) => (await test.call(name, body, { key })).body
  const write = (vaultId: string) => make('write-memory', { content: 'The cat sleeps.', vaultId })
  const message = { targetId: '*', content: 'The cat is awake.', agentId: 'another-agent' }
  const [row, memory, linked, archived, elsewhere, task, note, sent, hook] = await Promise.all([
    findKeyId(test, integrationId),
    write(user.vaultId),
    write(user.vaultId),
    write(user.vaultId),
    write(secondVaultId),
    make('create-task', { title: 'Feed the cat' }),
    make('create-note', { title: 'Cats', folderPath: 'Animals' }),
    make('send-message', message),
    makeWebhook(test, user),
  ])
  const [memoryId, linkedMemoryId] = [String(memory.memoryId), String(linked.memoryId)]
  const archivedMemoryId = String(archived.memoryId)
  await make('archive-memory', { memoryId: archivedMemoryId })
  const ends = { sourceType: 'memory', sourceId: memoryId, targetType: 'memory', targetId: linkedMemoryId }
  const emptyFolderId = String((await make('create-folder', { name: 'Nothing' })).folderId)
  const friend = await makeUser(test)
  await makeMember(test, user, friend.userId, 'viewer')
  const invitationId = await makeInvitation(test, friend, user)
  const importId = newId()
  const imported = { vaultId: user.vaultId, importId, records: [{ kind: 'note', title: 'Dogs' }] }
  await test.call('import-records', imported, { key: user.dashboardToken })
  const link = await make('add-link', { ...ends, relationType: 'refines' })
  const sessionId = await makeSession(test, user)
  const { noteId: trashedNoteId } = await make('create-note', { title: 'Mice' })
  await make('delete-note', { noteId: trashedNoteId })
  const turn = await make('ingest-turn', { role: 'user', content: 'The cat is asleep.' })
  await make('session-track', { event: 'start', agentRunId: 'run-of-cats' })
  const runs = await test.call('list-runs', { vaultId: user.vaultId }, { key: user.dashboardToken })
  return {
    user,
    secondVaultId,
    integrationId,
    key,
    keyId: row,
    memoryId,
    linkedMemoryId,
    archivedMemoryId,
    memoryElsewhereId: String(elsewhere.memoryId),
    taskId: String(task.taskId),
    linkId: String(link.linkId),
    noteId: String(note.noteId),
    folderId: String(note.folderId),
    emptyFolderId,
    messageId: String(sent.messageId),
    importId,
    sessionId,
    passkeyId: await makePasskey(test, user),
    memberId: friend.userId,
    invitationId,
    trashedNoteId: String(trashedNoteId),
    turnId: String(turn.turnId),
    runId: String((runs.body.runs as { id: string }[])[0]?.id),
    ...hook,
  }
}

/** A new world for each operation that changes something. All read operations share one. */
export function worldsOf(test: () => TestApp): (operation: Route) => Promise<World> {
  const shared = sharedWorldsOf(test)
  return (operation) => (operation.effect === 'read' ? shared(operation) : makeWorld(test()))
}

/** A new world for each operation that removes records. All others share one, for tests that don't need each call to succeed. */
export function sharedWorldsOf(test: () => TestApp): (operation: Route) => Promise<World> {
  let shared: Promise<World> | undefined
  return ({ effect }) => (effect === 'destructive' ? makeWorld(test()) : (shared ??= makeWorld(test())))
}

async function findKeyId({ app }: TestApp, integrationId: string): Promise<string> {
  const keys = app.services.db.read.selectFrom('agentKeys').select('id').where('integrationId', '=', integrationId)
  return (await keys.executeTakeFirst())?.id ?? ''
}

/** Ids of everything, for fields that must not accept them from another user. */
export const idsIn = (world: World): string[] => [
  world.memoryId,
  world.taskId,
  world.memoryElsewhereId,
  world.noteId,
  world.folderId,
  world.emptyFolderId,
  world.messageId,
  world.linkId,
  world.linkedMemoryId,
  world.archivedMemoryId,
  world.user.vaultId,
  world.secondVaultId,
  world.integrationId,
  world.keyId,
  world.webhookId,
  world.deliveryId,
  world.importId,
  world.sessionId,
  world.passkeyId,
  world.runId,
  world.turnId,
  world.trashedNoteId,
  world.memberId,
  world.invitationId,
  world.user.userId,
]

/** Values of required id fields. A new noun needs a line here. */
function ownId(operation: Route, field: string, world: World): string | undefined {
  const byField: Record<string, string> = {
    memoryId: world.memoryId,
    memoryIds: world.memoryId,
    taskId: world.taskId,
    noteId: world.noteId,
    noteIds: world.noteId,
    folderId: world.folderId,
    messageId: world.messageId,
    linkId: world.linkId,
    sourceId: world.memoryId,
    targetId: world.linkedMemoryId,
    nodeId: world.memoryId,
    otherIds: world.linkedMemoryId,
    vaultId: world.user.vaultId,
    primaryVaultId: world.user.vaultId,
    targetVaultId: world.secondVaultId,
    integrationId: world.integrationId,
    webhookId: world.webhookId,
    deliveryId: world.deliveryId,
    importId: world.importId,
    runId: world.runId,
    userId: world.user.userId,
  }
  const byNoun: Record<string, string> = {
    '/api/tasks': world.taskId,
    '/api/notes/backlinks': world.noteId,
    '/api/notes/versions': world.noteId,
    '/api/notes/mentions': world.noteId,
    '/api/messages': world.messageId,
    '/api/links/among': world.memoryId,
    '/api/vaults': world.secondVaultId,
    '/api/vaults/invitations/decide': world.invitationId,
    '/api/integrations': world.integrationId,
    '/api/keys': world.keyId,
    '/api/auth/sessions': world.sessionId,
    '/api/auth/passkeys': world.passkeyId,
    '/api/auth/passkeys/delete': world.passkeyId,
    '/api/webhooks': world.webhookId,
    '/api/webhooks/test': world.webhookId,
    '/api/webhooks/rotate-secret': world.webhookId,
    '/api/memories': world.memoryId,
    '/api/memories/history': world.memoryId,
    '/api/memories/archive': world.memoryId,
    '/api/memories/bulk': world.memoryId,
    '/api/runs/revert': world.runId,
    '/api/runs/turns': world.turnId,
    '/api/memories/merge': world.memoryId,
    '/api/memories/move': world.memoryId,
    '/api/review/decide': world.memoryId,
    // No id of a backup: operations for owners only are called to be rejected.
    '/api/backups': world.memoryId,
    '/api/backups/verify': world.memoryId,
  }
  if (operation.name === 'delete-vault-member' && field === 'userId') return world.memberId
  if (operation.name === 'erase-memory' && field === 'id') return world.archivedMemoryId
  if (operation.name === 'erase-note' && field === 'noteId') return world.trashedNoteId
  if (operation.name === 'delete-folder' && field === 'folderId') return world.emptyFolderId
  return field === 'id' || field === 'ids' ? byNoun[operation.path] : byField[field]
}

/** Operations that take the caller's password or a code, which no one in such a world knows; and operations for owners only. */
export const asksForSecret = ({ name }: Route): boolean =>
  [
    'update-sign-in',
    'create-backup',
    'verify-backup',
    'delete-backup',
    'create-token',
    'rotate-encryption-keys',
    'delete-user',
    'set-up-totp',
    'confirm-totp',
    'delete-totp',
    'renew-recovery-codes',
    'begin-passkey',
    'create-passkey',
    'delete-passkey',
    'log-in-with-passkey',
    'log-in',
    'set-up',
  ].includes(name)

/** The operation's own example, about records in this world. */
export function inputFor(operation: Route, world: World): Record<string, unknown> {
  const example = operation.examples.input as Record<string, unknown>
  const filled = Object.entries(example).map(([field, value]) => [field, fill(operation, field, value, world)])
  return { ...inPlaceOf(operation, world), ...(Object.fromEntries(filled) as Record<string, unknown>) }
}

/** If one of several optional fields is needed: alternatives to the example's. */
const inPlaceOf = ({ name }: Route, world: World): Record<string, unknown> | undefined =>
  ({
    'remove-link': { sourceId: world.memoryId, targetId: world.linkedMemoryId, relationType: 'refines' },
    'explore-graph': { query: 'cat' },
  })[name]

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function fill(operation: Route, field: string, value: unknown, world: World): unknown {
  if (operation.name === 'delete-vault' && field === 'name') return 'Second'
  if (field === 'email')
    return operation.name.startsWith('reset-') ? world.user.email : `${crypto.randomUUID()}@example.org`
  if (Array.isArray(value)) return value.map((item) => fill(operation, field, item, world))
  if (typeof value !== 'string' || !uuid.test(value)) return value
  const own = ownId(operation, field, world)
  if (own === undefined) throw new Error(`teach sweep-world.ts what ${operation.name} takes as ${field}`)
  return own
}

/** The credential that the operation requires. */
export const keyFor = (test: TestApp, operation: Route, world: World): string | undefined =>
  ({
    agent: world.key,
    person: world.user.dashboardToken,
    operator: test.app.operatorToken.token,
    anyone: undefined,
  })[operation.audience]

const asCaller = (test: TestApp, operation: Route, world: World) => {
  const key = keyFor(test, operation, world)
  return { audience: operation.audience, ...(key !== undefined && { key }) }
}

export const callAs = (test: TestApp, operation: Route, world: World, body: unknown): Promise<Answer> =>
  test.call(operation.name, body, asCaller(test, operation, world))

/** The same with a body that no object can have, such as one with a `__proto__`. */
export const sendRaw = (test: TestApp, operation: Route, world: World, raw: string): Promise<Answer> =>
  test.call(operation.name, undefined, { ...asCaller(test, operation, world), raw })
