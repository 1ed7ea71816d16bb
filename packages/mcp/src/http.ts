import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server'
import type { Caller } from './call-tool.ts'
import { asRecord, listenMethod } from './message.ts'
import { repairArguments } from './repair-arguments.ts'
import { createProtocolServer, type Extend } from './server.ts'
import { createListener, type Watch } from './subscriptions.ts'

/** The MCP server over HTTP, without sessions: any process can answer any request of either protocol era. */
export interface HttpServer {
  /** Answers a request whose body is parsed and whose caller is authenticated. `watch` is used by requests to listen. */
  answer(request: Request, body: unknown, caller: Caller, watch: Watch): Promise<Response>
  /** Closes open connections. */
  close(): Promise<void>
}

interface Options {
  version: string
  /** Logs rejected requests and errors. */
  report(error: Error): void
  extend?: Extend
}

export function createHttpServer({ version, report, extend }: Options): HttpServer {
  const factory: McpServerFactory = ({ authInfo, era }) => {
    const caller = authInfo?.extra?.['caller'] as Caller | undefined
    if (caller === undefined) throw new TypeError('The request has no caller')
    // Subscriptions of the earlier revisions need a session.
    return createProtocolServer(caller, version, { extend, canListen: era === 'modern' })
  }
  const handler = createMcpHandler(factory, { onerror: report })
  const listener = createListener({ factory, report })
  return {
    answer(request, parsedBody, caller, watch) {
      // The SDK needs no key: the request is already authenticated, and the caller has everything needed.
      const authInfo = { token: '', clientId: '', scopes: [], extra: { caller } }
      if (asRecord(parsedBody)['method'] === listenMethod)
        return listener.listen(request, { body: parsedBody, caller, watch, authInfo })
      return handler.fetch(request, {
        ...(parsedBody !== undefined && { parsedBody: repairArguments(parsedBody) }),
        authInfo,
      })
    },
    async close() {
      await Promise.all([handler.close(), listener.close()])
    },
  }
}
