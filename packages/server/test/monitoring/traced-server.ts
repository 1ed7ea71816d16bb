import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { createLog } from '../../src/core/log.ts'
import { startTelemetry } from '../../src/telemetry/start.ts'

/** A program: a server that is set up and sends traces and metrics as the environment says. It sends its URL and the key of an agent. */

const config = readConfig()
if (config.telemetry === undefined) throw new Error('OTEL_EXPORTER_OTLP_ENDPOINT is not set')
const telemetry = await startTelemetry(config.telemetry)
const app = await createApp(config, { log: createLog('debug'), telemetry })
const { token } = app.services.setupToken.issue()
const response = await app.server.inject({
  method: 'POST',
  url: '/api/setup',
  payload: { token, email: 'ada@example.org', password: 'three boats and a harbour', label: 'Agent', preset: 'admin' },
})
process.send?.({ url: await app.listen(), key: response.json<{ agentKey: string }>().agentKey })
process.once('message', () => void app.stop().then(() => process.exit(0)))
