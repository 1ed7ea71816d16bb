import type * as Api from '@opentelemetry/api'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { version } from '../core/program.ts'
import { createMirror, exportMetrics } from './export-metrics.ts'
import type { TelemetrySettings } from './read-settings.ts'
import { noTelemetry, type Telemetry } from './telemetry.ts'
import { createTracing, traceparentOf } from './trace.ts'

/** What we use of the packages that only those who want traces install. Their types would need them to be installed. */
interface Sdk {
  start(): void
  shutdown(): Promise<void>
}
interface SdkModule {
  NodeSDK: new (options: object) => Sdk
}
interface Resource {
  merge(other: Resource): Resource
}
interface ResourcesModule {
  defaultResource(): Resource
  resourceFromAttributes(attributes: Record<string, string>): Resource
  envDetector: object
  serviceInstanceIdDetector: object
}

const packages = ['@opentelemetry/api', '@opentelemetry/sdk-node', '@opentelemetry/resources'] as const

/** A package that is needed isn't installed where the server is. */
export class MissingPackage extends Error {
  readonly advice = `Install them next to the server: npm install ${packages.join(' ')}`
}

async function load(name: string): Promise<unknown> {
  try {
    return await import(name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new MissingPackage(`An endpoint for OpenTelemetry is set, but its package ${name} is not installed.`)
  }
}

/** Starts the SDK, which sends traces and metrics as the variables of OpenTelemetry say. */
export async function startTelemetry(settings: TelemetrySettings): Promise<Telemetry> {
  const [api, { NodeSDK }, resources] = (await Promise.all(packages.map(load))) as [
    typeof Api,
    SdkModule,
    ResourcesModule,
  ]
  const { defaultResource, resourceFromAttributes, envDetector, serviceInstanceIdDetector } = resources
  const service = resourceFromAttributes({ 'service.name': 'holdfast', 'service.version': version })
  const sdk = new NodeSDK({
    resource: defaultResource().merge(service),
    // Otherwise also the command line, the user and the machine's name.
    ...(!settings.choosesDetectors && { resourceDetectors: [serviceInstanceIdDetector, envDetector] }),
    ...(!settings.traces && { spanProcessors: [] }),
    ...(!settings.metrics && { metricReaders: [] }),
    // Logs go to standard output.
    logRecordProcessors: [],
  })
  sdk.start()
  return createTelemetry(api, settings, () => sdk.shutdown())
}

/** On top of the SDK that is registered with the API. */
export function createTelemetry(api: typeof Api, settings: TelemetrySettings, stop: () => Promise<void>): Telemetry {
  const meter = api.metrics.getMeter('holdfast', version)
  const tracing = settings.traces ? createTracing(api, api.trace.getTracer('holdfast', version)) : noTelemetry
  const stopPassing = settings.traces ? passTraceOn(api) : () => {}
  return {
    ...tracing,
    mirror: settings.metrics ? createMirror(meter) : undefined,
    exportMetrics: async (metrics) => {
      if (settings.metrics) await exportMetrics(meter, metrics)
    },
    async stop() {
      stopPassing()
      await stop()
    },
  }
}

/** Adds the trace to requests of `fetch`: to the embedding provider and the language model, which the operator chose. */
function passTraceOn({ trace }: typeof Api): () => void {
  const addHeader = (message: unknown) => {
    const { request } = message as { request: { addHeader(name: string, value: string): void } }
    const span = trace.getActiveSpan()
    if (span !== undefined) request.addHeader('traceparent', traceparentOf(span))
  }
  subscribe('undici:request:create', addHeader)
  return () => unsubscribe('undici:request:create', addHeader)
}
