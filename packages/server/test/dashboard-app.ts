import { hash } from '@node-rs/argon2'
import { createAccountWithAgent } from '../src/machine/create-user.ts'
import { routes } from '../src/api/registry.ts'
import type { App } from '../src/app.ts'
import type { Config } from '../src/config.ts'
import type { JsonValue } from '../src/core/json.ts'
import { expectContract, startTestApp } from './app.ts'
import type { TestDialect } from './dialects.ts'
import { longTokenMs } from './factories.ts'

/** The test app for people's actions, by routes: setup, sign-in, integrations, keys, vaults, with cookies and a clock. */
export interface DashboardApp {
  app: App
  /** The service's clock, set by the test. */
  clock: { now: number }
  send(method: Method, path: string, request?: TestRequest): Promise<TestResponse>
  operator(method: Method, path: string, body?: object): Promise<TestResponse>
  /** Creates what the operation with this name creates, without the time to hash the password. */
  setUp(): Promise<SetUp>
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

interface TestRequest {
  body?: object
  bearer?: string
  cookie?: string | undefined
  /** The other half of the session. Default: what the server returned with this cookie, as the dashboard sends it. */
  sessionKey?: string
  headers?: Record<string, string>
}

export interface TestResponse {
  status: number
  body: Record<string, JsonValue>
  /** Name and value of the session cookie, ready to be sent back. */
  cookie: string | undefined
  headers: Record<string, string | string[] | number | undefined>
}

export interface SetUp {
  userId: string
  vaultId: string
  integrationId: string
  agentKey: string
  dashboardToken: string
}

/** For fields of a response that must be text. */
export function textOf(value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw new TypeError('the response has no text there')
  return value
}

/** For statuses in no particular order. */
export const ascending = (a: number, b: number): number => a - b

export const ownerEmail = 'ada@example.org'
export const ownerPassword = 'violets under a wet stone'

/** With argon2id's lowest cost, so tests can set up and sign in often. */
export const ownerPasswordHash = await hash(ownerPassword, { memoryCost: 8, timeCost: 1, parallelism: 1 })

/**
 * For one test: an empty instance on the dialect's database (default: SQLite) that stops by itself. Its answers are checked against the
 * contract.
 */
export async function startDashboardApp(
  dialect?: TestDialect,
  config: Partial<Config> = {},
  { runsJobs = true } = {},
): Promise<DashboardApp> {
  const clock = { now: Date.parse('2026-11-21T09:00:00.000Z') }
  const { app } = await startTestApp({
    ...(dialect !== undefined && { dialect }),
    now: () => clock.now,
    config,
    runsJobs,
  })
  const sessionKeys = new Map<string, string>()
  const send: DashboardApp['send'] = async (method, path, request = {}) => {
    const { cookie, sessionKey = sessionKeys.get(cookie ?? '') } = request
    const answer = await inject(app, method, path, { ...request, ...(sessionKey !== undefined && { sessionKey }) })
    const returned = answer.body['sessionKey']
    if (answer.cookie !== undefined && typeof returned === 'string') sessionKeys.set(answer.cookie, returned)
    return answer
  }
  const operator: DashboardApp['operator'] = (method, path, body) =>
    send(method, path, { bearer: app.operatorToken.token, ...(body !== undefined && { body }) })
  return {
    app,
    clock,
    send,
    operator,
    async setUp() {
      const who = { email: ownerEmail, passwordHash: ownerPasswordHash, isOwner: true }
      const owner = { ...who, vaultName: 'Main', tokenMs: longTokenMs }
      const agent = { label: 'First agent', preset: 'admin' } as const
      const made = await app.services.db.write((tx) => createAccountWithAgent(tx, app.services, owner, agent))
      if (made === undefined) throw new Error('the instance is set up already')
      app.services.setupToken.discard()
      return made
    },
  }
}

async function inject(
  app: App,
  method: Method,
  path: string,
  { body, bearer, cookie, sessionKey, headers = {} }: TestRequest,
): Promise<TestResponse> {
  const operation = routes.find((known) => known.method === method && known.path === path.split('?')[0])
  if (operation === undefined) throw new Error(`there is no operation at ${method} ${path}`)
  const response = await app.server.inject({
    method,
    url: path,
    headers: {
      host: 'localhost',
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(cookie !== undefined && { cookie }),
      ...(sessionKey !== undefined && { 'x-session-key': sessionKey }),
      ...headers,
    },
    ...(body !== undefined && { payload: body }),
  })
  const [session] = response.cookies
  const answer = {
    status: response.statusCode,
    body: response.json<Record<string, JsonValue>>(),
    headers: response.headers,
    text: response.payload,
  }
  expectContract(operation, answer)
  return { ...answer, cookie: session && `${session.name}=${session.value}` }
}
