import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bearerToken } from '../auth/authenticate.ts'
import type { OperatorToken } from '../auth/operator-token.ts'
import { notFound } from '../core/errors.ts'
import { equalBytes, hashSecret } from '../crypto/secrets.ts'
import { findOutage } from '../db/watch-writes.ts'
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
  services: Pick<Services, 'db' | 'embeddings' | 'reranker'>
  metrics: Pick<Metrics, 'text' | 'contentType'>
  isStopping(): boolean
  /** Required of everyone if it is set. Otherwise callers on this machine need none. */
  metricsToken: string | undefined
  operatorToken: OperatorToken
}

export function addHealthRoutes(
  server: FastifyInstance,
  { services, metrics, isStopping, ...tokens }: HealthOptions,
): void {
  const mayReadMetrics = createMetricsGate(tokens)
  server.get(livenessPath, async () => ({ status: 'ok' }))
  server.get(readinessPath, async (_request, reply) => {
    const isReady = !isStopping() && (await findOutage(services.db)) === undefined
    // Still ready: writes are stored, and searches use words, in the order without the reranker.
    const degraded = (['embeddings', 'reranker'] as const).filter((part) => services[part]?.failure !== undefined)
    return reply.status(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready', degraded })
  })
  server.get(metricsPath, async (request, reply) => {
    if (!mayReadMetrics(request)) throw notFound('Route')
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}

function createMetricsGate({ metricsToken, operatorToken }: Pick<HealthOptions, 'metricsToken' | 'operatorToken'>) {
  // Hashes are compared, so that the time reveals nothing about the token, not even its length.
  const hash = metricsToken === undefined ? undefined : hashSecret(metricsToken)
  return (request: FastifyRequest): boolean => {
    const given = bearerToken(request.headers.authorization ?? '')
    if (given !== undefined && operatorToken.accepts(given)) return true
    if (hash !== undefined) return given !== undefined && equalBytes(hashSecret(given), hash)
    return isLocal(request)
  }
}

/** By the socket's address, never a header. Behind a proxy every caller is local, so the proxy must not forward this path. */
const isLocal = ({ socket, headers }: FastifyRequest) =>
  isLoopback(socket.remoteAddress) && isLocalName(URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '')

// A page that rebinds its DNS name to this machine also comes from loopback, but with that name.
const isLocalName = (name: string) => name === 'localhost' || name === '[::1]' || /^127\.[\d.]+$/.test(name)

const isLoopback = (address: string | undefined) => address !== undefined && /^(127\.|::1$|::ffff:127\.)/.test(address)
