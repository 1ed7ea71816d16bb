import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A connection of the proxy to the server. The port is the one that the server sees. */
export interface Connection {
  port: number
  /** The bytes that the proxy has sent. */
  sent: string
  isOpen: boolean
}

/** Passes bytes on between a proxy and the server, unchanged, and keeps what the proxy sent. */
export async function startRelay(serverPort: number): Promise<{ port: number; connections: Connection[] }> {
  const connections: Connection[] = []
  const sockets = new Set<Socket>()
  const relay = createServer({ allowHalfOpen: true }, (fromProxy) => {
    const toServer = connect({ port: serverPort, host: '127.0.0.1', allowHalfOpen: true })
    const connection: Connection = { port: 0, sent: '', isOpen: true }
    connections.push(connection)
    toServer.on('connect', () => (connection.port = toServer.localPort ?? 0))
    fromProxy.on('data', (bytes) => (connection.sent += bytes.toString('latin1')))
    for (const [one, other] of [
      [fromProxy, toServer],
      [toServer, fromProxy],
    ] as const) {
      sockets.add(one)
      one.setNoDelay(true)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        connection.isOpen = false
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await once(relay.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    relay.close()
    for (const socket of sockets) socket.destroy()
  })
  return { port: (relay.address() as AddressInfo).port, connections }
}
