import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface Received {
  method: string | undefined
  path: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

/** What the server does with a request. `hang` never answers; `drop` reads the request and closes the connection. */
export type Answer = 'hang' | 'drop' | { status: number; body: string | object; headers?: Record<string, string> }

/** Starts a real HTTP server that returns the answers in order, repeats the last one, and records what it received. */
export async function startAnsweringServer(...answers: Answer[]) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { method, url: path, headers } = request
    received.push({ method, path, headers, body: await text(request) })
    const answer = answers[Math.min(received.length, answers.length) - 1] ?? 'drop'
    if (answer === 'hang') return
    if (answer === 'drop') return void request.socket.destroy()
    response.writeHead(answer.status, answer.headers)
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, received, [Symbol.asyncDispose]: () => close(server) }
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
