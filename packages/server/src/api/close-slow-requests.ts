import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { answerOn } from './due-answer.ts'

/** How often the progress of bodies is looked at. */
const usualMs = 5_000
/** The least that arrives in this time. A body of 16 MiB must arrive within 30 seconds in any case. */
const leastBytes = 10_000

/**
 * Ends requests whose body arrives too slowly, 10 to 15 seconds after the last time it was fast enough: 500 callers that sent a byte now and
 * then kept their connections for 30 seconds. They get the answer of other requests that don't arrive in time. Returns how to stop it.
 */
export function closeSlowRequests(server: Server, everyMs = usualMs): () => void {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const watched = new WeakMap<IncomingMessage, { bytes: number; isSlow: boolean }>()
  const timer = setInterval(() => {
    for (const socket of open) {
      const request = awaitedOn(socket)
      if (request === undefined) continue
      const before = watched.get(request)
      const isSlow = before !== undefined && socket.bytesRead - before.bytes < leastBytes
      watched.set(request, { bytes: socket.bytesRead, isSlow })
      // Now and the last time.
      if (isSlow && before.isSlow) server.emit('clientError', slow(), socket)
    }
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** The request of whose body the server waits for more, unless the body waits for the server. */
function awaitedOn(socket: Socket): IncomingMessage | undefined {
  const request = answerOn(socket)?.req
  return request === undefined || request.complete || request.readableLength > 0 ? undefined : request
}

/** As Node's own. */
const slow = () => Object.assign(new Error('the body arrives too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
