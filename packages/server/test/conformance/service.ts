import { beforeAll, describe } from 'vitest'
import type { Config } from '../../src/config.ts'
import { defaultProvider } from '../../src/embeddings/read-settings.ts'
import { useTestApp } from '../app.ts'
import { eachDialect } from '../dialects.ts'

/**
 * The service as its users see it: over HTTP, with only the address and an owner's credentials. With HOLDFAST_CONFORMANCE_URL, _KEY (an
 * agent key with scope admin for all vaults) and _TOKEN (a dashboard token of the same person) it is that server, which must run
 * without rate limits and keeps what the tests create; otherwise one per database.
 */
export interface Service {
  url: string
  /** Of an integration with scope admin for all vaults. */
  key: string
  dashboardToken: string
}

export interface Reply {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

const given = (name: string) => process.env[`HOLDFAST_CONFORMANCE_${name}`] ?? ''
const remoteUrl = given('URL').replace(/\/$/, '')

/** Registers the block for each service. Its function returns the service, from the first test on. */
export function eachService(name: string, define: (service: () => Service) => void): void {
  if (remoteUrl === '') {
    eachOwnService(name, {}, define)
    return
  }
  describe(`${name} (${remoteUrl})`, () => {
    define(() => ({ url: remoteUrl, key: given('KEY'), dashboardToken: given('TOKEN') }))
  })
}

/** The same for tests that need their own settings: always on servers started here. */
export function eachOwnService(name: string, config: Partial<Config>, define: (service: () => Service) => void): void {
  eachDialect(name, (dialect) => {
    const test = useTestApp({ dialect, config: { embeddings: { provider: defaultProvider }, ...config } })
    let service: Service | undefined
    beforeAll(async () => {
      const { app } = test()
      const url = await app.listen()
      service = { url, ...(await setUp(url, app.operatorToken.token)) }
    })
    define(() => service ?? notStarted())
  })
}

function notStarted(): never {
  throw new Error('the service starts before the first test of its block')
}

async function setUp(url: string, operatorToken: string): Promise<Pick<Service, 'key' | 'dashboardToken'>> {
  const account = { email: 'owner@example.org', password: 'a long and private sentence', preset: 'admin' }
  const { status, body } = await send(
    { url },
    { key: operatorToken, method: 'POST', path: '/api/operator/setup', body: account },
  )
  if (status !== 201) throw new Error(`set-up answered ${status}: ${JSON.stringify(body)}`)
  return { key: String(body['agentKey']), dashboardToken: String(body['dashboardToken']) }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

interface Request {
  /** Sent as the bearer. */
  key?: string | undefined
  method: Method
  path: string
  body?: unknown
  headers?: Record<string, string> | undefined
}

export async function send(
  { url }: Pick<Service, 'url'>,
  { key, method, path, body, headers = {} }: Request,
): Promise<Reply> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Reply['body'] }
}

/** Calls an agent route with the admin key, or another one. */
export const callAgent = (
  service: Service,
  name: string,
  body: object = {},
  { key = service.key, headers }: { key?: string | undefined; headers?: Record<string, string> } = {},
): Promise<Reply> =>
  name === 'info'
    ? send(service, { key, method: 'GET', path: '/api/agent/info', headers })
    : send(service, { key, method: 'POST', path: `/api/agent/${name}`, body, headers })

/** A call that must succeed. Returns the body. */
export async function succeed(service: Service, name: string, body: object, key?: string): Promise<Reply['body']> {
  const reply = await callAgent(service, name, body, { key })
  if (reply.status >= 300) throw new Error(`${name} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
  return reply.body
}

/** A separate vault for each test, so tests don't see each other's data. */
export async function newVault(service: Service): Promise<string> {
  return String((await succeed(service, 'create-vault', { name: `Conformance ${crypto.randomUUID()}` }))['vaultId'])
}

export interface NewAgent {
  preset: 'read_only' | 'read_write' | 'admin'
  label?: string
  agentId?: string
  restrictToVault?: boolean
  vaults?: { vaultId: string; preset?: string }[]
  primaryVaultId?: string
}

export interface AgentAccess {
  integrationId: string
  keyId: string
  key: string
}

/** Another integration of the same person, with one key, created through the dashboard's routes. */
export async function newAgent(service: Service, agent: NewAgent): Promise<AgentAccess> {
  const ask = async (path: string, body: object) => {
    const reply = await send(service, { key: service.dashboardToken, method: 'POST', path, body })
    if (reply.status !== 201) throw new Error(`${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const { integration } = await ask('/api/integrations', { label: 'Conformance', ...agent })
  const integrationId = (integration as { integrationId?: string; id?: string }).id ?? ''
  const { key, agentKey } = await ask('/api/keys', { integrationId })
  return { integrationId, keyId: (key as { id: string }).id, key: String(agentKey) }
}
