import type { FastifyInstance } from 'fastify'
import { notFound } from '../core/errors.ts'
import { canRead } from '../db/watch-writes.ts'
import type { Services } from '../operation/context.ts'
import type { Metrics } from '../metrics/metrics.ts'

/** Liveness, readiness and metrics, for what watches a server. */

const livenessPath = '/healthz'
const readinessPath = '/readyz'
const metricsPath = '/metrics'
/** Answered by a busy server, too: it is alive, a restart would make things worse, and now its metrics matter most. */
export const neverShed: readonly string[] = [livenessPath, metricsPath]
/** Answered under any host name: load balancers and Prometheus use many. */
export const healthPaths: readonly string[] = [livenessPath, readinessPath, metricsPath]

interface HealthOptions {
  services: Pick<Services, 'db' | 'embeddings'>
  metrics: Pick<Metrics, 'text' | 'contentType'>
  isStopping(): boolean
  /** Whether this header opens the metrics from other machines. */
  mayReadMetrics(authorization: string | undefined): boolean
}

export function addHealthRoutes(
  server: FastifyInstance,
  { services, metrics, isStopping, mayReadMetrics }: HealthOptions,
): void {
  server.get(livenessPath, async () => ({ status: 'ok' }))
  server.get(readinessPath, async (_request, reply) => {
    const isReady = !isStopping() && (await canRead(services.db))
    // Still ready: writes are stored, and searches use words.
    const degraded = services.embeddings?.failure === undefined ? [] : ['embeddings']
    return reply.status(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready', degraded })
  })
  server.get(metricsPath, async (request, reply) => {
    // The socket's address, never a header. Behind a proxy every caller is local, so the proxy must not forward this path.
    const isLocal =
      isLoopback(request.socket.remoteAddress) &&
      isLocalName(URL.parse(`http://${request.headers.host ?? ''}`)?.hostname ?? '')
    if (!isLocal && !mayReadMetrics(request.headers.authorization)) throw notFound('Route')
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}

// A page that rebinds its DNS name to this machine also comes from loopback, but with that name.
const isLocalName = (name: string) => name === 'localhost' || name === '[::1]' || /^127\.[\d.]+$/.test(name)

const isLoopback = (address: string | undefined) => address !== undefined && /^(127\.|::1$|::ffff:127\.)/.test(address)
