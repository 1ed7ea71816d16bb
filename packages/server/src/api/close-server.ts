import type { FastifyInstance } from 'fastify'

/** Container runtimes kill ten seconds after they asked. */
const drainTimeoutMs = 8_000
const sweepEveryMs = 50

/**
 * Takes no new connections, lets requests in flight finish, and ends connections that are kept alive for more as soon as
 * they fall idle: Node ends only those that are idle at that moment, and waits more than a minute for the others. Whoever has not
 * finished within 8 seconds is cut off.
 */
export async function closeServer(server: FastifyInstance): Promise<void> {
  const sweep = setInterval(() => server.server.closeIdleConnections(), sweepEveryMs)
  const giveUp = setTimeout(() => server.server.closeAllConnections(), drainTimeoutMs)
  try {
    await server.close()
  } finally {
    clearInterval(sweep)
    clearTimeout(giveUp)
  }
}
