import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import {
  createServer as createSocketServer,
  type AddressInfo,
  type Server as SocketServer,
  type Socket,
} from 'node:net'
import { onTestFinished } from 'vitest'

/** One request to a receiver. */
export interface Received {
  headers: Record<string, string>
  body: string
}

export interface Receiver {
  url: string
  port: number
  /** In order of arrival. */
  received: Received[]
}

type Answer = (response: ServerResponse, request: IncomingMessage, received: Received) => void

/** An HTTP server on this machine that records its requests. It ends with the test. */
export async function startReceiver(answer: Answer = (response) => response.writeHead(204).end()): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => {})
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const one = { headers, body: Buffer.concat(chunks).toString() }
      received.push(one)
      answer(response, request, one)
    })
  })
  const port = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${port}/hook`, port, received }
}

/** A server below HTTP, for invalid answers. `connections` counts its clients. */
export async function startSocketReceiver(
  answer: (socket: Socket) => void,
  host = '127.0.0.1',
): Promise<{ url: string; port: number; connections: () => number }> {
  let connections = 0
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {})
    answer(socket)
  })
  const port = await listen(server, host)
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `http://127.0.0.1:${port}/hook`, port, connections: () => connections }
}

async function listen(server: Server | SocketServer, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, host, resolve)
  })
  return (server.address() as AddressInfo).port
}

/** HMAC-SHA256 as a receiver computes it. A text key is used unchanged. */
export async function hmacOf(key: string | Uint8Array<ArrayBuffer>, text: string): Promise<Buffer> {
  const bytes = typeof key === 'string' ? new TextEncoder().encode(key) : key
  const imported = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return Buffer.from(await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(text)))
}
