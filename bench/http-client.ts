import { Agent, request } from 'node:http'

/**
 * A keep-alive client that does as little as possible, because it shares the machine with the server it measures.
 */
export interface Client {
  /** Throws if the answer isn't 2xx. The error has the status and the server's answer. */
  post<T>(path: string, body: unknown): Promise<T>
  get<T>(path: string): Promise<T>
  /** For an answer that isn't JSON. */
  getText(path: string): Promise<string>
  close(): void
}

export function createClient(url: string, key: string | undefined, connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' })
  const { hostname, port } = new URL(url)
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const send = (method: string, path: string, text: string) =>
    new Promise<string>((resolve, reject) => {
      const bodyHeaders = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
      const headers = { ...authorization, ...(text !== '' && bodyHeaders) }
      const call = request({ agent, hostname, port, method, path, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString()
          const { statusCode = 0 } = response
          if (statusCode >= 200 && statusCode < 300) resolve(answer)
          else reject(new Error(`${method} ${path} answered ${statusCode}: ${answer}`))
        })
      })
      call.on('error', reject)
      call.end(text)
    })
  return {
    post: async <T>(path: string, body: unknown) => JSON.parse(await send('POST', path, JSON.stringify(body))) as T,
    get: async <T>(path: string) => JSON.parse(await send('GET', path, '')) as T,
    getText: (path) => send('GET', path, ''),
    close: () => agent.destroy(),
  }
}
