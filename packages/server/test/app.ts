import type { Extend } from '@holdfast/mcp/server'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { statusesOf } from '../src/api/openapi.ts'
import { routes } from '../src/api/registry.ts'
import { createApp, type App } from '../src/app.ts'
import type { Config } from '../src/config.ts'
import { createLog } from '../src/core/log.ts'
import type { Telemetry } from '../src/telemetry/telemetry.ts'
import type { Audience, Route } from '../src/operation/operation.ts'
import { migratedTemplate } from './database.ts'
import { fillSqliteFolder, type TestDialect } from './dialects.ts'
import { undeclaredFields } from './undeclared-fields.ts'

/** The whole server in this process, with its own database, without a port. */
export interface TestApp {
  app: App
  dataDir: string
  /** Everything that was logged so far. */
  log(): string
  /** Calls an operation by its name. The answer is checked against the contract, whatever the status. */
  call(name: string, body?: unknown, options?: CallOptions): Promise<Answer>
}

export interface CallOptions {
  key?: string
  /** Whose route to call. Default: the route that fits the key. */
  audience?: Audience
  headers?: Record<string, string>
  /** Sent unchanged in place of the body. */
  raw?: string | Buffer
}

export interface Answer {
  status: number
  // Read with matchers; the contract has checked the shape.
  body: Record<string, unknown>
  headers: Record<string, string | string[] | number | undefined>
  text: string
}

export interface TestAppOptions {
  /** Default: SQLite. */
  dialect?: TestDialect
  now?: () => number
  config?: Partial<Config>
  /** Default: true. */
  runsJobs?: boolean
  extendMcp?: Extend
  telemetry?: Telemetry
}

/** For one test. Stops by itself when the test ends. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { test, stop } = await start(options)
  onTestFinished(stop)
  return test
}

/** For all tests of a block. Call it in the block, and the returned function in its tests. */
export function useTestApp(options: TestAppOptions = {}): () => TestApp {
  let started: Awaited<ReturnType<typeof start>> | undefined
  beforeAll(async () => {
    started = await start(options)
  })
  afterAll(async () => {
    await started?.stop()
    // The modules of test files stay loaded for the whole run.
    started = undefined
  })
  return () => {
    if (started === undefined) throw new Error('the test app starts before the first test of its block')
    return started.test
  }
}

async function start({
  dialect,
  now,
  config = {},
  runsJobs = true,
  extendMcp,
  telemetry,
}: TestAppOptions): Promise<{ test: TestApp; stop(): Promise<void> }> {
  const store = await dialect?.freshUrl(migratedTemplate)
  const [ownDir, keyDir] = await Promise.all([makeFolder('data'), makeFolder('keys')])
  const dataDir = store?.kind === 'sqlite' ? store.dir : ownDir
  if (store === undefined) await fillSqliteFolder(ownDir, migratedTemplate)
  const lines: string[] = []
  const log = createLog('debug', { write: (line) => void lines.push(line) })
  const app = await createApp(
    {
      ...configOfTests,
      dataDir,
      databaseUrl: store?.kind === 'postgres' ? store.url : undefined,
      rootKey: fileIn(keyDir),
      backups: { folder: join(ownDir, 'backups'), everyHours: 0, keep: 7, s3: undefined },
      ...config,
    },
    {
      log,
      runsJobs,
      passwordCost,
      ...(now !== undefined && { now }),
      ...(extendMcp !== undefined && { extendMcp }),
      ...(telemetry !== undefined && { telemetry }),
    },
  )
  return {
    test: { app, dataDir, log: () => lines.join(''), call: (name, body, given) => call(app, name, body, given) },
    async stop() {
      await app.stop()
      await Promise.all([ownDir, keyDir].map((dir) => rm(dir, { recursive: true, force: true })))
    },
  }
}

// The lowest: tests compute hundreds of hashes, and each would take 0.1 s.
const passwordCost = { memoryCost: 8, timeCost: 1 }

const makeFolder = (purpose: string) => mkdtemp(join(tmpdir(), `holdfast-${purpose}-`))

const fileIn = (dir: string): Config['rootKey'] => ({ given: undefined, command: undefined, dir })

/** What a server needs besides its folders. */
export const configOfTests = {
  host: '127.0.0.1',
  port: 0,
  publicUrl: undefined,
  allowedHosts: [],
  trustedProxies: [],
  connections: { total: 4096, perClient: 512 },
  drainSeconds: 0,
  // Only words: most tests are not about vectors, and expect exact results. Servers of the command line and of the conformance tests
  // have the default.
  embeddings: { provider: 'none' },
  extraction: undefined,
  reranker: undefined,
  indexMemoryBytes: 64 * 1024 * 1024,
  // Tests call as fast as they can.
  rateLimits: { read: 0, write: 0, search: 0, ingest: 0 },
  dashboardRateLimit: 3000,
  quotas: { read: 0, write: 0, search: 0, ingest: 0 },
  webhookAllow: [],
  // For tests that create none.
  backups: { folder: join(tmpdir(), 'holdfast-no-backups'), everyHours: 0, keep: 7, s3: undefined },
  metricsToken: undefined,
  telemetry: undefined,
  logLevel: 'debug',
} as const

async function call(
  app: App,
  name: string,
  body: unknown,
  { key, audience, headers, raw }: CallOptions = {},
): Promise<Answer> {
  const operation = routeFor(name, audience ?? audienceOf(key))
  const inUrl = operation.method === 'GET' || operation.method === 'DELETE'
  const response = await app.server.inject({
    method: operation.method,
    url: operation.path,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(!inUrl && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(inUrl ? { query: (body ?? {}) as Record<string, string> } : { payload: raw ?? JSON.stringify(body ?? {}) }),
  })
  const answer = {
    status: response.statusCode,
    body: response.json<Record<string, unknown>>(),
    headers: response.headers,
    text: response.payload,
  }
  expectContract(operation, answer)
  return answer
}

const audienceOf = (key = ''): Audience => (key.startsWith('svc_') ? 'agent' : 'person')

/** The route of this audience, or any other route of the operation if this audience has none. */
function routeFor(name: string, audience: Audience): Route {
  const named = routes.filter((route) => route.name === name)
  const route = named.find((known) => known.audience === audience) ?? named[0]
  if (route === undefined) throw new Error(`there is no operation ${name}`)
  return route
}

/** A success matches the operation's own contract; everything else is an error in the common format. */
export function expectContract(operation: Route, { status, body, headers }: Answer): void {
  expect(wrongHeaders(headers), `headers of ${operation.name}`).toEqual([])
  if (status === 200 || status === 201) {
    const parsed = operation.output.safeParse(body)
    expect(parsed.error, `${operation.name} returned an answer that its contract does not allow`).toBeUndefined()
    expect(
      undeclaredFields(operation.name, body),
      `${operation.name} returned fields that its contract does not name`,
    ).toEqual([])
    return
  }
  expect(statusesOf(operation), `statuses that ${operation.name} declares`).toContain(status)
  expect(body.error, `${operation.name} returned ${status}`).toBeTypeOf('string')
  expect(Object.keys(body).filter((field) => !['error', 'fields', 'retryAfter'].includes(field))).toEqual([])
  expect('fields' in body, `${operation.name} returned ${status}: ${JSON.stringify(body)}`).toBe(status === 400)
  expect('retryAfter' in body).toBe(status === 429)
  if (status === 429 || status === 503) expect(headers['retry-after']).toMatch(/^[1-9]\d*$/)
}

const headersOfAll: Record<string, RegExp> = {
  'x-request-id': /^[0-9a-f-]{36}$/,
  'x-service-version': /^\d+\.\d+\.\d+/,
  'cache-control': /^no-store$/,
  'content-type': /^application\/json/,
}

const wrongHeaders = (headers: Answer['headers']) =>
  Object.entries(headersOfAll).filter(([name, pattern]) => !pattern.test(String(headers[name])))
