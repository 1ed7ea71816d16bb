import { routes, type Operations } from './generated/operations.ts'
import { callRoute, type CallOptions, type Connection } from './request.ts'

export interface ClientOptions {
  /** Where the service is, such as `http://127.0.0.1:8420`; a path in front of `/api` is kept. */
  url: string
  /** An agent key, `svc_…`. */
  key: string
  /** Session or run that groups operations; sent with every call. */
  agentRunId?: string
  /** For one call with all its attempts. Default: 30,000. */
  timeoutMs?: number
  /** In place of the global fetch. */
  fetch?: typeof globalThis.fetch
}

/** A method for each agent operation. It resolves with the answer or rejects with a HoldfastError, or the signal's reason. */
export type Client = {
  readonly [Name in keyof Operations]: Method<Operations[Name]['input'], Operations[Name]['output']>
}

type Method<Input, Output> =
  Record<string, never> extends Input
    ? (input?: Input, options?: CallOptions) => Promise<Output>
    : (input: Input, options?: CallOptions) => Promise<Output>

const defaultTimeoutMs = 30_000

/** Opens nothing and keeps nothing open: a client needs no closing. Throws a TypeError for options that cannot work. */
export function createClient(options: ClientOptions): Client {
  const connection: Connection = {
    url: new URL(options.url.endsWith('/') ? options.url : `${options.url}/`),
    headers: {
      Authorization: `Bearer ${headerText('key', options.key)}`,
      ...(options.agentRunId !== undefined && { 'X-Agent-Run-Id': headerText('agentRunId', options.agentRunId) }),
    },
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    fetch: options.fetch ?? globalThis.fetch,
  }
  const methods = Object.entries(routes).map(([name, route]) => [
    name,
    (input: object = {}, callOptions: CallOptions = {}) => callRoute(connection, route, input, callOptions),
  ])
  return Object.fromEntries(methods) as Client
}

// Checked here, because fetch quotes a header that it refuses, and a key must not end up in an error.
function headerText(name: string, text: string): string {
  if (!/^[\x20-\x7e]+$/.test(text)) throw new TypeError(`${name}: must be printable ASCII`)
  return text
}
