import type * as Api from '@opentelemetry/api'
import type { Attributes, Span, SpanOptions, Tracer } from '@opentelemetry/api'
import type { FastifyInstance } from 'fastify'
import type { Dispatch } from '../api/dispatch.ts'
import { errorResponse } from '../api/payloads.ts'
import { ServiceError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import { EmbeddingError, wrapProvider } from '../embeddings/provider.ts'
import type { VaultIndexes } from '../vault-index/cache.ts'
import type { Post } from '../webhooks/post.ts'
import type { Telemetry } from './telemetry.ts'

export type Tracing = Pick<Telemetry, 'addTo' | 'dispatch' | 'store' | 'indexes' | 'embeddings' | 'post' | 'log'>

/** `api`: the package, which may not be installed. */
export function createTracing(api: typeof Api, tracer: Tracer): Tracing {
  const run = createRun(api, tracer)
  return {
    addTo: (server) => traceRequests(api, tracer, server),
    dispatch: (dispatch) => traceDispatch(run, dispatch),
    store: (db) => traceStore(api, run, db),
    indexes: (indexes) => traceIndexes(run, indexes),
    embeddings: (provider) =>
      wrapProvider(provider, {
        embed: (texts, kind, signal) =>
          run('embed', { attributes: { 'holdfast.texts': texts.length, 'holdfast.text_kind': kind } }, () =>
            provider.embed(texts, kind, signal),
          ),
      }),
    post: (post) => tracePost(api, run, post),
    log: (log) => traceLog(api, log),
  }
}

type Run = <T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>) => Promise<T>

/** Runs work in a span, which gets the outcome: a code, never a message. */
const createRun =
  ({ SpanStatusCode }: typeof Api, tracer: Tracer): Run =>
  (name, options, work) =>
    tracer.startActiveSpan(name, options, async (span) => {
      try {
        return await work(span)
      } catch (error) {
        const { code, isFault } = describe(error)
        span.setAttribute('error.type', code)
        if (isFault) span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    })

/** Mistakes of callers aren't faults of the server. */
function describe(error: unknown): { code: string; isFault: boolean } {
  if (error instanceof ServiceError) return { code: error.code, isFault: errorResponse(error).status >= 500 }
  return { code: error instanceof EmbeddingError ? error.reason : 'internal', isFault: true }
}

/** Not the stream of news, which lasts as long as a page is open. */
const isTraced = (path: string) => (path.startsWith('/api/') && path !== '/api/events') || path === '/mcp'

function traceRequests(api: typeof Api, tracer: Tracer, server: FastifyInstance): void {
  const { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api
  const spans = new WeakMap<object, Span>()
  server.addHook('onRequest', ({ raw, headers, method, routeOptions: { url = '' } }, _reply, done) => {
    if (!isTraced(url)) return done()
    // Only the trace: what else callers send along (baggage) isn't passed on.
    const caller = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, headers))
    const parent = caller === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, caller)
    const attributes: Attributes = { 'http.request.method': method, 'http.route': url }
    const span = tracer.startSpan(`${method} ${url}`, { kind: SpanKind.SERVER, attributes }, parent)
    spans.set(raw, span)
    context.with(trace.setSpan(parent, span), done)
  })
  server.addHook('onResponse', ({ raw }, { statusCode }, done) => {
    const span = spans.get(raw)
    span?.setAttribute('http.response.status_code', statusCode)
    if (statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
    done()
  })
}

const traceDispatch =
  (run: Run, dispatch: Dispatch): Dispatch =>
  (route, call) =>
    run(route.name, { attributes: { 'holdfast.operation': route.name, 'holdfast.audience': route.audience } }, () =>
      dispatch(route, call),
    )

/** Only in a trace: background work would be a trace for each transaction. */
function traceStore({ context, trace }: typeof Api, run: Run, db: Database): Database {
  const attributes = { 'db.system.name': db.dialect === 'sqlite' ? 'sqlite' : 'postgresql' }
  return {
    ...db,
    get load() {
      return db.load
    },
    write: (work, lane) =>
      trace.getActiveSpan() === undefined
        ? db.write(work, lane)
        : // Writes that share a commit run where the first of them was called.
          run('store.write', { attributes }, () => db.write(context.bind(context.active(), work), lane)),
  }
}

const traceIndexes = (run: Run, indexes: VaultIndexes): VaultIndexes => ({
  read: (vault, work, beforeWork) =>
    run('index.search', {}, (span) =>
      indexes.read(
        vault,
        (index) => {
          span.setAttribute('holdfast.index_items', index.size)
          return work(index)
        },
        beforeWork,
      ),
    ),
  save: (vault) => indexes.save(vault),
  forget: (vaultId) => indexes.forget(vaultId),
  get bytes() {
    return indexes.bytes
  },
  get counts() {
    return indexes.counts
  },
  stop: () => indexes.stop(),
})

/** A trace of its own, linked to what caused it: a delivery may follow hours later. */
function tracePost({ SpanKind, SpanStatusCode, trace }: typeof Api, run: Run, post: Post): Post {
  return (url, request) => {
    const cause = trace.getActiveSpan()?.spanContext()
    const links = cause === undefined ? [] : [{ context: cause }]
    return run('webhook.send', { kind: SpanKind.CLIENT, root: true, links }, async (span) => {
      const headers = { ...request.headers, traceparent: traceparentOf(span) }
      const outcome = await post(url, { ...request, headers })
      if (outcome.status !== undefined) span.setAttribute('http.response.status_code', outcome.status)
      if (outcome.problem !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
      return outcome
    })
  }
}

/** As in W3C trace context, version 00. */
export function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

function traceLog({ trace }: typeof Api, log: Log): Log {
  const withIds =
    (write: Log['info']): Log['info'] =>
    (event, fields) => {
      const span = trace.getActiveSpan()?.spanContext()
      write(event, span === undefined ? fields : { ...fields, trace_id: span.traceId, span_id: span.spanId })
    }
  return { debug: withIds(log.debug), info: withIds(log.info), warn: withIds(log.warn), error: withIds(log.error) }
}
