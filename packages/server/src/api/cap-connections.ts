import type { Server, Socket } from 'node:net'
import { clientNetwork } from '../auth/client-network.ts'

export interface ConnectionCaps {
  total: number
  perClient: number
}

/**
 * Closes connections above a number, in total and per client, so that opening many can't use up memory and file descriptors.
 * They get no answer: writing one would cost what the cap saves. Trusted proxies have no cap of their own, since they bring many clients.
 */
export function capConnections(
  server: Server,
  { total, perClient }: ConnectionCaps,
  isProxy: (address: string) => boolean,
): void {
  server.maxConnections = total
  const open = new Map<string, number>()
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isProxy(remoteAddress)) return
    const client = clientNetwork(remoteAddress)
    const count = (open.get(client) ?? 0) + 1
    open.set(client, count)
    socket.once('close', () => {
      const left = (open.get(client) ?? 1) - 1
      if (left > 0) open.set(client, left)
      else open.delete(client)
    })
    if (count > perClient) socket.destroy()
  })
}
