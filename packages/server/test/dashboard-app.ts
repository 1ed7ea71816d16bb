import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { createApp, type App } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import type { JsonValue } from '../src/core/json.ts'
import { migratedTemplate } from './database.ts'
import type { TestDialect } from './dialects.ts'

/** The whole service without a port, for what people do: set-up, sign-in, integrations, keys, vaults. */
export interface DashboardApp {
  app: App
  /** The service's clock, set by the test. */
  clock: { now: number }
  send(method: Method, path: string, request?: TestRequest): Promise<TestResponse>
  operator(method: Method, path: string, body?: object): Promise<TestResponse>
  setUp(): Promise<SetUp>
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface TestRequest {
  body?: object
  bearer?: string
  cookie?: string | undefined
  headers?: Record<string, string>
}

export interface TestResponse {
  status: number
  body: Record<string, JsonValue>
  /** Name and value of the session cookie, ready to be sent back. */
  cookie: string | undefined
  headers: Record<string, unknown>
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

/** For statuses whose order is no promise. */
export const ascending = (a: number, b: number): number => a - b

export const ownerEmail = 'ada@example.org'
export const ownerPassword = 'violets under a wet stone'

/** Registers the clean-up, and returns a function that starts an empty instance on the dialect's store. */
export function dashboardApps(dialect: TestDialect): () => Promise<DashboardApp> {
  const started: { app: App; dirs: string[] }[] = []
  afterEach(async () => {
    for (const { app, dirs } of started.splice(0)) {
      await app.stop()
      for (const dir of dirs) await rm(dir, { recursive: true, force: true })
    }
  })
  return async () => {
    const store = await dialect.freshUrl(migratedTemplate)
    const dirs = [await mkdtemp(join(tmpdir(), 'holdfast-keys-'))]
    if (store.kind === 'postgres') dirs.push(await mkdtemp(join(tmpdir(), 'holdfast-data-')))
    const config = readConfig({
      HOLDFAST_DATA_DIR: store.kind === 'sqlite' ? store.dir : dirs[1],
      HOLDFAST_KEY_DIR: dirs[0],
      HOLDFAST_DATABASE_URL: store.kind === 'postgres' ? store.url : undefined,
      HOLDFAST_LOG_LEVEL: 'silent',
    })
    const clock = { now: Date.parse('2026-11-21T09:00:00.000Z') }
    const app = await createApp(config, { now: () => clock.now })
    started.push({ app, dirs })
    return dashboardApp(app, clock)
  }
}

function dashboardApp(app: App, clock: { now: number }): DashboardApp {
  const send: DashboardApp['send'] = async (method, url, { body, bearer, cookie, headers = {} } = {}) => {
    const response = await app.server.inject({
      method,
      url,
      headers: {
        host: 'localhost',
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...(cookie !== undefined && { cookie }),
        ...headers,
      },
      ...(body !== undefined && { payload: body }),
    })
    const [session] = response.cookies
    return {
      status: response.statusCode,
      body: response.json<Record<string, JsonValue>>(),
      cookie: session && `${session.name}=${session.value}`,
      headers: response.headers,
    }
  }
  return {
    app,
    clock,
    send,
    operator: (method, path, body) =>
      send(method, path, { bearer: app.operatorToken.token, ...(body !== undefined && { body }) }),
    async setUp() {
      const { body } = await send('POST', '/api/operator/setup', {
        bearer: app.operatorToken.token,
        body: { email: ownerEmail, password: ownerPassword },
      })
      return body as unknown as SetUp
    },
  }
}
