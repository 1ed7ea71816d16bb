import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import * as api from '@opentelemetry/api'
import { onTestFinished } from 'vitest'

/** A span that has ended. */
export interface RecordedSpan {
  name: string
  traceId: string
  spanId: string
  parentId: string | undefined
  attributes: Record<string, unknown>
  hasFailed: boolean
  links: number
}

/** Registers an SDK that keeps spans in memory, until the test ends. */
export function recordSpans(): RecordedSpan[] {
  const ended: RecordedSpan[] = []
  const contexts = new AsyncLocalStorage<api.Context>()
  api.context.setGlobalContextManager({
    active: () => contexts.getStore() ?? api.ROOT_CONTEXT,
    with: (context, work, self, ...args) => contexts.run(context, () => work.call(self, ...args)),
    bind: (context, target) =>
      // The interface's own type for it.
      (typeof target === 'function'
        ? (...args: unknown[]) => contexts.run(context, () => (target as (...all: unknown[]) => unknown)(...args))
        : target) as typeof target,
    enable() {
      return this
    },
    disable() {
      return this
    },
  })
  api.propagation.setGlobalPropagator({
    fields: () => ['traceparent'],
    inject: () => {},
    extract(context, carrier, getter) {
      const [, traceId = '', spanId = ''] = String(getter.get(carrier, 'traceparent')).split('-')
      return spanId === ''
        ? context
        : api.trace.setSpanContext(context, { traceId, spanId, traceFlags: 1, isRemote: true })
    },
  })
  api.trace.setGlobalTracerProvider({ getTracer: () => createTracer(ended) })
  onTestFinished(() => {
    for (const part of [api.context, api.propagation, api.trace]) part.disable()
  })
  return ended
}

function createTracer(ended: RecordedSpan[]): api.Tracer {
  const startSpan: api.Tracer['startSpan'] = (name, options = {}, context = api.context.active()) => {
    const parent = options.root === true ? undefined : api.trace.getSpanContext(context)
    const { attributes = {}, links = [] } = options
    return new Recorded(ended, {
      name,
      traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
      spanId: randomBytes(8).toString('hex'),
      parentId: parent?.spanId,
      attributes: { ...attributes },
      hasFailed: false,
      links: links.length,
    })
  }
  return {
    startSpan,
    startActiveSpan<F extends (span: api.Span) => unknown>(
      name: string,
      options: api.SpanOptions | F,
      ...rest: (api.Context | F)[]
    ): ReturnType<F> {
      const work = rest.at(-1) ?? options
      if (typeof work !== 'function' || typeof options === 'function') throw new Error('not used here')
      const span = startSpan(name, options)
      return api.context.with(api.trace.setSpan(api.context.active(), span), () => work(span)) as ReturnType<F>
    },
  }
}

class Recorded implements api.Span {
  readonly #ended: RecordedSpan[]
  readonly #span: RecordedSpan

  constructor(ended: RecordedSpan[], span: RecordedSpan) {
    this.#ended = ended
    this.#span = span
  }

  spanContext = () => ({ traceId: this.#span.traceId, spanId: this.#span.spanId, traceFlags: 1 })
  isRecording = () => true
  end = () => void this.#ended.push(this.#span)

  setAttribute(name: string, value: unknown): this {
    this.#span.attributes[name] = value
    return this
  }

  setStatus({ code }: api.SpanStatus): this {
    this.#span.hasFailed = code === api.SpanStatusCode.ERROR
    return this
  }

  setAttributes = () => this
  addEvent = () => this
  addLink = () => this
  addLinks = () => this
  updateName = () => this
  recordException = () => {
    throw new Error('an exception may quote content')
  }
}
