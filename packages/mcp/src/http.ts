import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Caller } from './call-tool.ts'
import { repairArguments } from './repair-arguments.ts'
import { createProtocolServer, type Extend } from './server.ts'

/** The MCP server over HTTP, without sessions: any process can answer any request of either protocol era. */
export interface HttpServer {
  /** Answers a request whose body is parsed and whose caller is authenticated. */
  answer(request: Request, body: unknown, caller: Caller): Promise<Response>
  /** Closes open connections. */
  close(): Promise<void>
}

interface Options {
  version: string
  /** Logs rejected requests and errors. */
  report(error: Error): void
  extend?: Extend
}

const maxSubscriptions = 100

export function createHttpServer({ version, report, extend }: Options): HttpServer {
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const caller = authInfo?.extra?.['caller'] as Caller | undefined
      if (caller === undefined) throw new TypeError('The request has no caller')
      return createProtocolServer(caller, version, extend)
    },
    { maxSubscriptions, onerror: report },
  )
  return {
    // The SDK needs no key: the request is already authenticated, and the caller has everything needed.
    answer: (request, parsedBody, caller) =>
      handler.fetch(request, {
        ...(parsedBody !== undefined && { parsedBody: repairArguments(parsedBody) }),
        authInfo: { token: '', clientId: '', scopes: [], extra: { caller } },
      }),
    close: () => handler.close(),
  }
}
