import type { Operation } from '../src/operation/operation.ts'
import type { Answer, TestApp } from './app.ts'
import { makeAgentKey, makeIntegration, makeUser, makeVault, makeWebhook, type TestUser } from './factories.ts'

/** A person with one of everything, so that every operation finds something to work on. */
export interface World {
  user: TestUser
  secondVaultId: string
  integrationId: string
  key: string
  keyId: string
  memoryId: string
  /** In the second vault. */
  memoryElsewhereId: string
  noteId: string
  folderId: string
  /** To everyone, from another agent. */
  messageId: string
  taskId: string
  /** From `memoryId` to `linkedMemoryId`. */
  linkId: string
  linkedMemoryId: string
  /** Inactive, so that nothing is sent, with one delivery. */
  webhookId: string
  deliveryId: string
}

export async function makeWorld(test: TestApp): Promise<World> {
  const user = await makeUser(test)
  const secondVaultId = await makeVault(test, user)
  const integrationId = await makeIntegration(test, user, { preset: 'admin' })
  const key = await makeAgentKey(test, user, integrationId)
  const [row] = await test.app.services.db.read
    .selectFrom('agentKeys')
    .select('id')
    .where('integrationId', '=', integrationId)
    .execute()
  const write = async (vaultId: string) =>
    String((await test.call('write-memory', { content: 'The cat sleeps.', vaultId }, { key })).body.memoryId)
  const send = async () => {
    const message = { targetId: '*', content: 'The cat is awake.', agentId: 'another-agent' }
    return String((await test.call('send-message', message, { key })).body.messageId)
  }
  const note = await test.call('create-note', { title: 'Cats', folderPath: 'Animals' }, { key })
  const [memoryId, linkedMemoryId] = [await write(user.vaultId), await write(user.vaultId)]
  const ends = { sourceType: 'memory', sourceId: memoryId, targetType: 'memory', targetId: linkedMemoryId }
  const link = await test.call('add-link', { ...ends, relationType: 'refines' }, { key })
  return {
    user,
    secondVaultId,
    integrationId,
    key,
    keyId: row?.id ?? '',
    memoryId,
    taskId: String((await test.call('create-task', { title: 'Feed the cat' }, { key })).body.taskId),
    linkedMemoryId,
    linkId: String(link.body.linkId),
    memoryElsewhereId: await write(secondVaultId),
    noteId: String(note.body.noteId),
    folderId: String(note.body.folderId),
    messageId: await send(),
    ...(await makeWebhook(test, user)),
  }
}

/** Ids of everything, for fields that must not reach them from elsewhere. */
export const idsIn = (world: World): string[] => [
  world.memoryId,
  world.taskId,
  world.memoryElsewhereId,
  world.noteId,
  world.folderId,
  world.messageId,
  world.linkId,
  world.linkedMemoryId,
  world.user.vaultId,
  world.secondVaultId,
  world.integrationId,
  world.keyId,
  world.webhookId,
  world.deliveryId,
  world.user.userId,
]

/** What a required id field is filled with; a new noun needs a line here. */
function ownId(operation: Operation, field: string, world: World): string | undefined {
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
    vaultId: world.user.vaultId,
    primaryVaultId: world.user.vaultId,
    integrationId: world.integrationId,
    webhookId: world.webhookId,
    deliveryId: world.deliveryId,
  }
  const byNoun: Record<string, string> = {
    '/api/vaults': world.secondVaultId,
    '/api/integrations': world.integrationId,
    '/api/keys': world.keyId,
    '/api/webhooks': world.webhookId,
    '/api/webhooks/test': world.webhookId,
    '/api/webhooks/rotate-secret': world.webhookId,
  }
  return field === 'id' ? byNoun[operation.path] : byField[field]
}

/** The operation's own example, about things that exist in this world. */
export function inputFor(operation: Operation, world: World): Record<string, unknown> {
  const example = operation.examples.input as Record<string, unknown>
  const filled = Object.entries(example).map(([field, value]) => [field, fill(operation, field, value, world)])
  return { ...inPlaceOf(operation, world), ...(Object.fromEntries(filled) as Record<string, unknown>) }
}

/** Where one of several optional fields is needed: what may stand in place of the example's. */
const inPlaceOf = ({ name }: Operation, world: World): Record<string, unknown> | undefined =>
  ({
    'remove-link': { sourceId: world.memoryId, targetId: world.linkedMemoryId, relationType: 'refines' },
    'explore-graph': { query: 'cat' },
  })[name]

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function fill(operation: Operation, field: string, value: unknown, world: World): unknown {
  if (operation.name === 'delete-vault' && field === 'name') return 'Second'
  if (field === 'email') return `${crypto.randomUUID()}@example.org`
  if (Array.isArray(value)) return value.map((item) => fill(operation, field, item, world))
  if (typeof value !== 'string' || !uuid.test(value)) return value
  const own = ownId(operation, field, world)
  if (own === undefined) throw new Error(`teach sweep-world.ts what ${operation.name} takes as ${field}`)
  return own
}

/** The credential that the operation wants. */
export const keyFor = (test: TestApp, operation: Operation, world: World): string | undefined =>
  ({
    agent: world.key,
    dashboard: world.user.dashboardToken,
    operator: test.app.operatorToken.token,
    public: undefined,
  })[operation.audience]

export function callAs(
  test: TestApp,
  operation: Operation,
  world: World,
  body: unknown,
  raw?: string,
): Promise<Answer> {
  const key = keyFor(test, operation, world)
  return test.call(operation.name, body, { ...(key !== undefined && { key }), ...(raw !== undefined && { raw }) })
}
