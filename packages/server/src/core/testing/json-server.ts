import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a server for tests received. */
export interface SeenRequest<Body> {
  path: string
  headers: IncomingHttpHeaders
  body: Body
}

export interface JsonServer {
  /** `http://127.0.0.1:<port>` */
  url: string
  close(): Promise<void>
}

/** A real HTTP server on this machine that reads JSON. It stands for the server of somebody else. */
export async function startJsonServer<Body>(
  respond: (seen: SeenRequest<Body>, response: ServerResponse) => void,
): Promise<JsonServer> {
  const server = createServer((request, response) => {
    void readJson(request).then((body) =>
      respond({ path: request.url ?? '', headers: request.headers, body: body as Body }, response),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}
