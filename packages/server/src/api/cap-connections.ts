import type { Server, Socket } from 'node:net'
import { clientNetwork } from '../auth/client-network.ts'
import { answerOn } from './due-answer.ts'

export interface ConnectionCaps {
  total: number
  perClient: number
}

/** What is left for the store, files, and calls to others: their errors could be anything if no file can be opened any more. */
const otherFiles = 256

/** As many connections as the operating system allows this process files. Undefined: it doesn't say. */
export const affordableConnections = (wanted: number, maxFiles: number | undefined): number =>
  maxFiles === undefined ? wanted : Math.min(wanted, Math.max(maxFiles - otherFiles, Math.floor(maxFiles / 2)))

/** How many files this process may have open. */
export function readMaxFiles(): number | undefined {
  // Otherwise Node looks up the names of addresses. Its types don't know the option yet.
  const report = Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } }
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : undefined
}

/**
 * Closes connections above a number, in total and per client, so that opening many can't use up memory and file descriptors.
 * They get no answer: writing one would cost what the cap saves. Trusted proxies have no cap of their own, since they bring many clients.
 *
 * Above the total, the oldest idle connection of the client that has the most is closed. So a client that opens many idle ones loses its own.
 * Those of trusted proxies are closed last.
 */
export function capConnections(
  server: Server,
  { total, perClient }: ConnectionCaps,
  isProxy: (address: string) => boolean,
): void {
  const clients = new Map<Socket, string>()
  const open = new Map<string, Set<Socket>>()
  const proxies = new Set<string>()
  // Not only at the event that a socket is closed: it comes later, and more connections may come before.
  function forget(socket: Socket): void {
    const client = clients.get(socket)
    const sockets = client === undefined ? undefined : open.get(client)
    if (client === undefined || sockets === undefined) return
    clients.delete(socket)
    sockets.delete(socket)
    if (sockets.size === 0) open.delete(client)
  }
  function close(socket: Socket): void {
    forget(socket)
    socket.destroy()
  }
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    // Closed already.
    if (remoteAddress === undefined) return
    const client = clientNetwork(remoteAddress)
    if (isProxy(remoteAddress)) proxies.add(client)
    const sockets = open.get(client) ?? new Set()
    open.set(client, sockets.add(socket))
    clients.set(socket, client)
    socket.once('close', () => forget(socket))
    if (sockets.size > perClient && !proxies.has(client)) close(socket)
    else if (clients.size > total) close(findLeastNeeded(open, proxies) ?? socket)
  })
}

/** Undefined if something is being answered on each of them. */
function findLeastNeeded(
  open: ReadonlyMap<string, ReadonlySet<Socket>>,
  proxies: ReadonlySet<string>,
): Socket | undefined {
  const rankOf = ([client, { size }]: [string, ReadonlySet<Socket>]) => (proxies.has(client) ? 0 : size)
  const byClient = [...open].toSorted((one, other) => rankOf(other) - rankOf(one))
  for (const [, sockets] of byClient) for (const socket of sockets) if (answerOn(socket) === undefined) return socket
  return undefined
}
