import { callAgent, newVault, send, succeed, type Service } from './service.ts'
import type { Route, World } from './routes.ts'

export async function makeWorld(service: Service): Promise<World> {
  const vaultId = await newVault(service)
  const write = async (name: string, body: object) => succeed(service, name, { vaultId, ...body })
  const memoryId = String((await write('write-memory', { content: 'Cats sleep all day.' }))['memoryId'])
  const otherMemoryId = String((await write('write-memory', { content: 'Cats hunt at night.' }))['memoryId'])
  const link = { sourceType: 'memory', sourceId: memoryId, targetType: 'memory', targetId: otherMemoryId }
  const note = await write('create-note', { title: 'Cats', content: 'All about cats.', folderPath: 'Animals' })
  const message = { targetId: '*', content: 'The cat is awake.', agentId: 'another-agent' }
  return {
    vaultId,
    memoryId,
    otherMemoryId,
    taskId: String((await write('create-task', { title: 'Feed the cat' }))['taskId']),
    noteId: String(note['noteId']),
    folderId: String(note['folderId']),
    linkId: String((await write('add-link', { ...link, relationType: 'refines' }))['linkId']),
    messageId: String((await write('send-message', message))['messageId']),
    webhookId: await makeWebhook(service, vaultId),
  }
}

/** Inactive, so nothing is sent. */
async function makeWebhook(service: Service, vaultId: string): Promise<string> {
  const wanted = { url: 'https://example.org/hook', events: ['message.created'], vaultId, isActive: false }
  const { body } = await send(service, {
    key: service.dashboardToken,
    method: 'POST',
    path: '/api/webhooks',
    body: wanted,
  })
  return String((body['webhook'] as { id?: string } | undefined)?.id)
}

/** Removes records of which there can only be a limited number. */
export const removeWorld = (service: Service, { webhookId }: World) =>
  send(service, { key: service.dashboardToken, method: 'DELETE', path: `/api/webhooks?id=${webhookId}` })

/** One call of the route, with input for its method, and with the default or another credential. */
export function callRoute(
  service: Service,
  { name, method, path }: Route,
  input: Record<string, unknown>,
  key: string | undefined = path === '/api/webhooks' ? service.dashboardToken : service.key,
) {
  if (path.startsWith('/api/agent/')) return callAgent(service, name, input, { key })
  if (method === 'POST' || method === 'PATCH') return send(service, { key, method, path, body: input })
  const query = new URLSearchParams(
    Object.entries(input).map(([field, value]) => [field, String(value)] as [string, string]),
  )
  return send(service, { key, method, path: `${path}?${query.toString()}` })
}
