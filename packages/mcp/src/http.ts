import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Caller } from './call-tool.ts'
import { nameOf } from './render/one-line.ts'
import { createProtocolServer, type Extend } from './server.ts'

/** The server over HTTP, without sessions: any process can answer any request, of either era of the protocol. */
export interface HttpServer {
  /** The body is parsed already, and the caller let in. */
  answer(request: Request, body: unknown, caller: Caller): Promise<Response>
  /** Ends what is open. */
  close(): Promise<void>
}

interface Options {
  version: string
  /** Requests that were refused, and mistakes; for the log. */
  report(error: Error): void
  extend?: Extend
}

const maxSubscriptions = 100

export function createHttpServer({ version, report, extend }: Options): HttpServer {
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const caller = authInfo?.extra?.['caller'] as Caller | undefined
      if (caller === undefined) throw new TypeError('a request without its caller')
      return createProtocolServer(caller, version, extend)
    },
    { maxSubscriptions, onerror: report },
  )
  return {
    // The SDK needs no key: whoever comes here has been let in, and the caller holds what is needed.
    answer: (request, parsedBody, caller) =>
      handler.fetch(request, {
        ...(parsedBody !== undefined && { parsedBody }),
        authInfo: { token: '', clientId: '', scopes: [], extra: { caller } },
      }),
    close: () => handler.close(),
  }
}

/** The client's name as a request of the later era says it, or its beginning; empty where it says none. */
export function clientNameIn(body: unknown): string {
  const { name } = recordOf(recordOf(recordOf(recordOf(body)['params'])['_meta'])['io.modelcontextprotocol/clientInfo'])
  return typeof name === 'string' ? nameOf(name, 100) : ''
}

/** The most of a message: names and items, and characters of text, beside the arguments of a tool or prompt. */
const most = { items: 1_000, chars: 65_536 }
const mostArguments = 1_000

/**
 * What is too much of a message, in words; undefined where nothing is. The protocol's own checks look at each part, and tell of
 * each, before anybody counts the request. Looks at no more than what is allowed.
 */
export function excessOf(body: unknown): string | undefined {
  const { method, params, ...others } = recordOf(body)
  const { arguments: args, ...around } = recordOf(params)
  const hasArguments = method === 'tools/call' || method === 'prompts/get'
  const own = hasArguments ? [others, method, around] : [others, method, params]
  if (!isSmall(own))
    return `the message holds more than ${most.items} names and items, or ${most.chars} characters, beside arguments`
  const { length } = Object.keys(recordOf(hasArguments ? args : undefined))
  return length > mostArguments ? `arguments: must be at most ${mostArguments}` : undefined
}

function isSmall(value: unknown): boolean {
  const open = [value]
  let { items, chars } = most
  while (open.length > 0) {
    const one = open.pop()
    if (typeof one === 'string') chars -= one.length
    else if (typeof one === 'object' && one !== null) {
      const names = Array.isArray(one) ? undefined : Object.keys(one)
      items -= names?.length ?? (one as unknown[]).length
      for (const name of names ?? []) chars -= name.length
      if (items >= 0) for (const inner of Object.values(one)) open.push(inner)
    }
    if (items < 0 || chars < 0) return false
  }
  return true
}

/** Whether a well-formed request of this kind calls operations, which count themselves. */
export function callsOperations(body: unknown): boolean {
  const { id, method, params } = recordOf(body)
  const { name, uri } = recordOf(params)
  if (id === undefined) return false
  if (method === 'tools/call' || method === 'prompts/get') return typeof name === 'string'
  return method === 'resources/list' || (method === 'resources/read' && typeof uri === 'string')
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
