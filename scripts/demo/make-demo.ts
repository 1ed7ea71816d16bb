import { join } from 'node:path'
import { createApp } from '../../packages/server/src/app.ts'
import { readConfig, type Config } from '../../packages/server/src/config.ts'
import { createLog } from '../../packages/server/src/core/log.ts'
import { askAt } from './call-server.ts'
import { liveAMonth } from './live-a-month.ts'
import type { Receiver } from './receive-webhooks.ts'

export const demoPerson = { email: 'ada@example.org', password: 'three boats and a harbour' }

const dayMs = 86_400_000

/** Creates the folder with a data folder, its key, and a month of data. */
export async function makeDemo(folder: string, receiver: Receiver): Promise<void> {
  const clock = { at: Date.now() - 32 * dayMs, setAt: performance.now() }
  const config = { ...demoConfig(folder, '0', receiver), rateLimits: { read: 0, write: 0, search: 0, ingest: 0 } }
  // The demo includes failed deliveries to the chat, so don't log them.
  const log = createLog('error')
  const app = await createApp(config, { log, now: () => Math.round(clock.at + performance.now() - clock.setAt) })
  try {
    const url = await app.listen()
    const { token } = app.services.setupToken.issue()
    const account = { token, ...demoPerson, vaultName: 'Ferries', label: 'First agent' }
    const ask = askAt(url)
    const made = await ask('', 'POST', '/api/setup', account)
    // The token of the setup expires within the first hour of the month.
    const { password } = demoPerson
    const created = await ask(made['dashboardToken'] as string, 'POST', '/api/auth/tokens', { password })
    const owner = { ...made, ...created }
    const setNow = (ms: number) => void Object.assign(clock, { at: ms, setAt: performance.now() })
    await liveAMonth({ url, owner: owner as { vaultId: string; dashboardToken: string }, receiver, setNow })
  } finally {
    await app.stop()
  }
}

/** Uses nothing from the environment, which may point to a real database. */
export const demoConfig = (folder: string, port: string, { host }: Receiver): Config =>
  readConfig(
    {},
    {
      HOLDFAST_DATA_DIR: join(folder, 'data'),
      HOLDFAST_KEY_DIR: join(folder, 'keys'),
      HOLDFAST_PORT: port,
      HOLDFAST_WEBHOOK_ALLOW: host,
    },
  )
