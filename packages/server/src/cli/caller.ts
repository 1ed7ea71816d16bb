import { setTimeout as sleep } from 'node:timers/promises'
import { errorResponse } from '../api/payloads.ts'
import type { App } from '../app.ts'
import { findRunningServer, type RunningServer } from '../auth/operator-token.ts'
import type { Config } from '../config.ts'
import { commandLineHere, dataDirOption } from '../core/program.ts'
import { newId } from '../core/ids.ts'
import type { JsonValue } from '../core/json.ts'
import { createLog } from '../core/log.ts'
import { driverCode, StoreError } from '../db/store-error.ts'
import { hasSqliteFile } from '../db/sqlite.ts'
import { routesOf, type Operation, type Route } from '../operation/operation.ts'
import { CommandError, exitCodes, refusedCall } from './exit-codes.ts'

/** Calls operations as the operator, in this process or on a server. Callers pass the operation: loading all of them takes longer than most calls. */
export interface Caller {
  /** Whether a server answers, which also runs jobs. Otherwise this process works on the store alone. */
  isServer: boolean
  /** `actAs`: the user to act for; by default the owner. Throws a CommandError. */
  call(operation: Operation, input: Input, options?: { actAs?: string | undefined }): Promise<Record<string, JsonValue>>
}

type Input = Record<string, JsonValue | undefined>

export interface Target {
  config: Config
  /** The server to call instead of the one that owns the data folder. */
  url: string | undefined
  /** For `url`. If undefined, it is read from the file that a server writes to the data folder. */
  operatorToken: string | undefined
  /** Whether the command line named the data folder. Its token is then used for any `url`. */
  namesDataDir: boolean
  /** Whether an empty data folder may become a new instance. */
  mayCreate: boolean
  /** Default true. If false, a database of an older version stays unchanged and a StoreError is thrown. */
  mayMigrate?: boolean
}

/**
 * Runs `work` with a caller. The lock of the data folder decides how: if it is free, the operations run in this process; if it
 * is held, they go through the server that holds it. So the file that a crashed server left behind is never taken for a running
 * server.
 */
export async function withCaller<T>(target: Target, work: (caller: Caller) => Promise<T>): Promise<T> {
  if (target.url !== undefined) return work(remoteCaller(serverAt(target.url, target)))
  refuseEmptyFolder(target)
  const opened = await openWhenFree(target)
  if ('url' in opened) return work(remoteCaller(opened))
  try {
    return await work(localCaller(opened))
  } finally {
    await opened.stop()
  }
}

/**
 * Runs `work` against an HTTP server, as agents use it: the server that owns the data folder, or this process on a free port
 * while `work` runs. `isServing`: a server was already running. Throws a MigrationsDueError instead of migrating.
 */
export async function withServer<T>(
  config: Config,
  work: (caller: Caller, url: string, isServing: boolean) => Promise<T>,
): Promise<T> {
  const alone = { ...config, host: '127.0.0.1', port: 0, publicUrl: undefined }
  const target = {
    config: alone,
    mayCreate: false,
    mayMigrate: false,
    url: undefined,
    operatorToken: undefined,
    namesDataDir: true,
  }
  const opened = await openWhenFree(target)
  if ('url' in opened) return work(remoteCaller(opened), opened.url, true)
  try {
    const url = await opened.listen()
    return await work(remoteCaller({ url, token: opened.operatorToken.token }), url, false)
  } finally {
    await opened.stop()
  }
}

function serverAt(url: string, { operatorToken, namesDataDir, config }: Target): RunningServer {
  const local = findRunningServer(config.dataDir)
  // Never send the token of the server on the default folder to another server.
  const isMeant = local !== undefined && (namesDataDir || URL.parse(local.url)?.origin === new URL(url).origin)
  const token = operatorToken ?? (isMeant ? local.token : undefined)
  if (token === undefined)
    throw new CommandError(
      exitCodes.refused,
      `No operator token for ${url}.`,
      'Give the data folder of that server with --data-dir, or set HOLDFAST_OPERATOR_TOKEN.',
    )
  return { url, token }
}

function refuseEmptyFolder({ config, mayCreate }: Target): void {
  if (mayCreate || config.databaseUrl !== undefined || hasSqliteFile(config.dataDir)) return
  throw new CommandError(
    exitCodes.notFound,
    `No Holdfast instance in ${config.dataDir}.`,
    `Give its data folder with --data-dir, or create a new instance with \`${commandLineHere} setup${dataDirOption(config.dataDir)}\`.`,
  )
}

const lockWaitMs = 10_000
const lockRetryMs = 200

// If the lock is held but no server answers, a server is starting or stopping, or another command is running.
async function openWhenFree({ config, mayCreate, mayMigrate = true }: Target): Promise<App | RunningServer> {
  const { createApp } = await import('../app.ts')
  const log = createLog('warn', process.stderr)
  const giveUpAt = Date.now() + lockWaitMs
  for (;;) {
    try {
      return await createApp(config, { log, runsJobs: false, mayCreate, mayMigrate })
    } catch (error) {
      if (!(error instanceof StoreError) || !driverCode(error.cause).startsWith('SQLITE_BUSY')) throw error
      const server = findRunningServer(config.dataDir)
      if (server !== undefined && (await isAlive(server))) return server
      if (Date.now() > giveUpAt) throw new CommandError(exitCodes.unavailable, error.message)
    }
    await sleep(lockRetryMs)
  }
}

async function isAlive({ url }: RunningServer): Promise<boolean> {
  try {
    const { ok } = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2_000) })
    return ok
  } catch {
    return false
  }
}

/** The operator's route, or else another one that is not for agents. */
function routeOf(operation: Operation): Route {
  const routes = routesOf(operation).filter(({ audience }) => audience !== 'agent')
  const route = routes.find(({ audience }) => audience === 'operator') ?? routes[0]
  if (route === undefined) throw new Error(`${operation.name} is only for agents`)
  return route
}

/** A caller of the server that runs on this data folder; undefined if none answers. */
export async function findRunningCaller({ dataDir }: Pick<Config, 'dataDir'>): Promise<Caller | undefined> {
  const server = findRunningServer(dataDir)
  return server !== undefined && (await isAlive(server)) ? remoteCaller(server) : undefined
}

export const localCaller = ({ dispatch, operatorToken }: Pick<App, 'dispatch' | 'operatorToken'>): Caller => ({
  isServer: false,
  async call(operation, input, { actAs } = {}) {
    const route = routeOf(operation)
    const credentials = {
      authorization: [`Bearer ${operatorToken.token}`],
      session: undefined,
      sessionKey: undefined,
      requestedWith: undefined,
      origin: undefined,
      host: undefined,
      actAs,
      isWrite: route.method !== 'GET',
    }
    try {
      const { body } = await dispatch(route, {
        requestId: newId(),
        runId: undefined,
        clientAddress: 'local',
        userAgent: undefined,
        credentials,
        sessionCookie: { set: () => {}, clear: () => {} },
        input: async () => withoutUndefined(input),
      })
      return body as Record<string, JsonValue>
    } catch (error) {
      const { status, body } = errorResponse(error)
      // Our own bug: rethrow it, since a response would hide the cause.
      if (status === 500) throw error
      throw refusedCall(status, body.error)
    }
  },
})

const callTimeoutMs = 60_000

const remoteCaller = (server: RunningServer): Caller => ({
  isServer: true,
  async call(operation, input, { actAs } = {}) {
    const { method, path } = routeOf(operation)
    const hasBody = method === 'POST' || method === 'PATCH'
    const query = hasBody ? '' : `?${new URLSearchParams(asQuery(input)).toString()}`
    const response = await send(server, `${path}${query}`, {
      method,
      headers: {
        Authorization: `Bearer ${server.token}`,
        ...(actAs !== undefined && { 'X-Holdfast-User': actAs }),
        ...(hasBody && { 'Content-Type': 'application/json' }),
      },
      ...(hasBody && { body: JSON.stringify(withoutUndefined(input)) }),
    })
    const body = await readObject(server, response)
    if (response.ok) return body
    const message = typeof body.error === 'string' ? body.error : `The server answered ${response.status}.`
    throw refusedCall(response.status, message)
  },
})

async function send({ url }: RunningServer, path: string, init: RequestInit): Promise<Response> {
  try {
    // Below the given URL, which may have a path that a proxy needs.
    const target = new URL(path.slice(1), url.endsWith('/') ? url : `${url}/`)
    return await fetch(target, { ...init, signal: AbortSignal.timeout(callTimeoutMs), redirect: 'error' })
  } catch (error) {
    throw new CommandError(
      exitCodes.unavailable,
      `No answer from ${url}${reasonOf(error)}.`,
      'Check that Holdfast is running there, then try again.',
    )
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error ? driverCode(error.cause) : ''
  return code === '' ? '' : ` (${code})`
}

async function readObject({ url }: RunningServer, response: Response): Promise<Record<string, JsonValue>> {
  const body = (await response.json().catch(() => undefined)) as JsonValue | undefined
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw new CommandError(
    exitCodes.failure,
    `The answer from ${url} is not from a Holdfast server (status ${response.status}).`,
  )
}

const withoutUndefined = (input: Input): Record<string, JsonValue> =>
  Object.fromEntries(Object.entries(input).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))

const asQuery = (input: Input): Record<string, string> =>
  Object.fromEntries(
    Object.entries(withoutUndefined(input)).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
