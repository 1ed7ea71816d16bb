import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Receives the demo's webhooks, as a board in the office that always answers and a chat that may be down. */
export interface Receiver {
  /** `127.0.0.1:PORT`. */
  host: string
  breakChat(isBroken: boolean): void
  /** Resolves once no delivery has arrived for a moment. */
  settle(): Promise<void>
  close(): void
}

/** Port 0 chooses a free port. */
export async function receiveWebhooks(port: number): Promise<Receiver> {
  let isChatBroken = false
  let lastAt = 0
  const server = createServer((request, response) => {
    const isAway = isChatBroken && request.url?.startsWith('/chat') === true
    request.resume().on('end', () => {
      lastAt = performance.now()
      response.writeHead(isAway ? 503 : 200).end(isAway ? 'The chat is away.' : 'Seen.')
    })
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    breakChat: (isBroken) => void (isChatBroken = isBroken),
    async settle() {
      const beganAt = performance.now()
      while (performance.now() - Math.max(beganAt, lastAt) < quietMs) await sleep(10)
    },
    close: () => void server.close(),
  }
}

const quietMs = 40
