import { z } from 'zod'

/** Settings of what watches the server, for config.ts. */
export const metricsVariables = {
  HOLDFAST_METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'must have at least 16 characters, without spaces, all of them allowed in a header')
    .optional()
    .describe(
      'A token that `/metrics` then requires of every caller, and that opens nothing else; at least 16 characters.',
    ),
}

/** Which signals go out over OTLP, by the standard variables of OpenTelemetry. Its SDK reads all others itself. */
export interface TelemetrySettings {
  traces: boolean
  metrics: boolean
  /** Whether a variable says what to find out about the machine. */
  choosesDetectors: boolean
}

type Env = Readonly<Record<string, string | undefined>>

/** Undefined if nothing is to be sent: without an endpoint, the SDK would send to this machine. */
export function readTelemetry(env: Env): TelemetrySettings | undefined {
  const isSet = (name: string) => (env[name] ?? '') !== ''
  const isSent = (signal: 'TRACES' | 'METRICS') =>
    (isSet('OTEL_EXPORTER_OTLP_ENDPOINT') || isSet(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`)) &&
    env[`OTEL_${signal}_EXPORTER`] !== 'none'
  const [traces, metrics] = [isSent('TRACES'), isSent('METRICS')]
  const isDisabled = env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true'
  if (isDisabled || (!traces && !metrics)) return undefined
  return { traces, metrics, choosesDetectors: isSet('OTEL_NODE_RESOURCE_DETECTORS') }
}
