import type { FastifyInstance } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { answerOn } from './due-answer.ts'

/**
 * Stops the HTTP server without losing a request: every request that reaches it is answered, or gets no connection in the first place.
 *
 * Node's own `close` doesn't do that. It destroys idle keep-alive connections while a request may be on its way, and resets connections
 * that the system has accepted but Node hasn't seen yet. So the steps are: drain, stop listening, finish.
 */
export interface GracefulStop {
  /** Goes on accepting for a while, and asks clients to come back on a new connection, which a load balancer sends elsewhere. */
  drain(ms: number): Promise<void>
  stopListening(): Promise<void>
  /**
   * Answers what has arrived, closes connections that have become silent, and then the server. Calls `endStreams` once, when only
   * answers without an end should be left. Resolves after 8 seconds at the latest; what isn't finished by then is cut off.
   */
  finish(endStreams: () => Promise<void>): Promise<void>
}

/** Container runtimes kill a process ten seconds after they ask it to stop. */
const finishTimeoutMs = 8_000
/**
 * How long a connection has been silent before it is closed. A client that has just received an answer may be sending its next request.
 * As `keepalive_min_timeout` of nginx: a round trip around the world, and time to react.
 */
const silentMs = 500
const sweepEveryMs = 50
/** Turns of the event loop; only a flood of new connections uses them up. */
const maxTurns = 1_000

export function prepareStop(server: FastifyInstance): GracefulStop {
  const { server: http } = server
  const open = new Set<Socket>()
  http.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })

  /**
   * Answers on these connections ask for a new one: first those from before the drain, later all. Asking in every answer of the drain
   * would make clients without a load balancer reconnect all the time, and run into the moment in which the server stops listening.
   */
  let isLast = (_socket: Socket) => false
  function closeAfterAnswers(which: (socket: Socket) => boolean): void {
    isLast = which
    for (const socket of open) if (which(socket)) askToClose(answerOn(socket))
  }
  const askLater = ({ socket }: IncomingMessage, answer: ServerResponse) => {
    if (isLast(socket)) askToClose(answer)
  }

  return {
    async drain(ms) {
      if (ms === 0) return
      const former = new WeakSet(open)
      closeAfterAnswers((socket) => former.has(socket))
      http.prependListener('request', askLater)
      await sleep(ms)
    },
    async stopListening() {
      await untilNobodyConnects(http)
      // Without what `close` of an HTTP server does in addition: destroying idle connections.
      if (http.listening) NetServer.prototype.close.call(http)
      http.off('request', askLater).prependListener('request', askLater)
      closeAfterAnswers(() => true)
    },
    async finish(endStreams) {
      const startedAt = performance.now()
      const closeSilent = createSweep(open)
      const sweepUntil = async (ms: number, isDone: () => boolean) => {
        while (!isDone() && performance.now() - startedAt < ms) {
          await sleep(sweepEveryMs)
          // Right after the loop has read what has arrived.
          await nextTurn()
          closeSilent()
        }
      }
      await sweepUntil(silentMs, () => open.size === 0)
      await sweepUntil(finishTimeoutMs - silentMs, () => ![...open].some(waits))
      await endStreams()
      await sweepUntil(finishTimeoutMs, () => open.size === 0)
      for (const socket of open) socket.destroy()
      await server.close()
    },
  }
}

/** Connections that wait to be accepted would be reset. Node accepts them in each turn of the event loop. */
async function untilNobodyConnects(http: FastifyInstance['server']): Promise<void> {
  let hasNew = true
  const note = () => void (hasNew = true)
  http.on('connection', note)
  await nextTurn()
  for (let turn = 0; hasNew && turn < maxTurns; turn++) {
    hasNew = false
    await nextTurn()
  }
  http.off('connection', note)
}

/** Closes connections on which nothing has been sent or received for a while, and no request is being answered. */
function createSweep(open: ReadonlySet<Socket>): () => void {
  const last = new Map<Socket, { bytes: number; at: number }>()
  return () => {
    const now = performance.now()
    for (const socket of open) {
      const bytes = socket.bytesRead + socket.bytesWritten
      const { bytes: before, at } = last.get(socket) ?? { bytes: -1, at: now }
      if (bytes !== before || answerOn(socket) !== undefined) last.set(socket, { bytes, at: now })
      else if (now - at >= silentMs) socket.destroy()
    }
  }
}

/** Whether a client waits for an answer to begin. */
function waits(socket: Socket): boolean {
  const answer = answerOn(socket)
  return answer !== undefined && !answer.headersSent
}

function askToClose(answer: ServerResponse | undefined): void {
  if (answer !== undefined && !answer.headersSent) answer.setHeader('Connection', 'close')
}
