// Counts which source files one call of an operation executes, with V8's precise coverage: how much code a reader has to
// know to follow that call. `node scripts/list-executed-files.ts [operation ...]` also lists the files of those
// operations.

import { Session, type Profiler } from 'node:inspector/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApp, type App } from '../packages/server/src/app.ts'
import { readConfig } from '../packages/server/src/config.ts'
import { createLog } from '../packages/server/src/core/log.ts'
import { root } from './checks.ts'

interface Probe {
  method: 'GET' | 'POST'
  path: string
  body?: (round: number) => object
}

const agent = (name: string, body: Probe['body']): Probe => ({
  method: 'POST',
  path: `/api/agent/${name}`,
  ...(body && { body }),
})

/** Minimal calls. The second call of each is measured, to leave out work that is done only once. */
const probes: Readonly<Record<string, Probe>> = {
  info: { method: 'GET', path: '/api/agent/info' },
  'write-memory': agent('write-memory', (round) => ({ content: `The ferry leaves from pier ${round}.` })),
  'search-memories': agent('search-memories', (round) => ({ query: `Which pier for ferry ${round}?` })),
  'session-start': agent('session-start', () => ({})),
  'create-note': agent('create-note', (round) => ({ title: `Pier ${round}`, content: 'See [[Ferries]].' })),
  'send-message': agent('send-message', (round) => ({ targetId: 'user', content: `Pier ${round} is closed.` })),
}

async function start(folder: string): Promise<{ app: App; key: string }> {
  const settings = {
    HOLDFAST_DATA_DIR: join(folder, 'data'),
    HOLDFAST_KEY_DIR: join(folder, 'keys'),
    HOLDFAST_PORT: '0',
  }
  const app = await createApp(readConfig({}, settings), { log: createLog('error'), runsJobs: false })
  const { token } = app.services.setupToken.issue()
  const owner = {
    token,
    email: 'ada@example.org',
    password: 'three boats and a harbour',
    label: 'Agent',
    preset: 'admin',
  }
  const response = await app.server.inject({ method: 'POST', url: '/api/setup', payload: owner })
  return { app, key: response.json<{ agentKey: string }>().agentKey }
}

async function call(
  { app, key }: { app: App; key: string },
  { method, path, body }: Probe,
  round: number,
): Promise<void> {
  const { statusCode, payload } = await app.server.inject({
    method,
    url: path,
    headers: { authorization: `Bearer ${key}` },
    ...(body && { payload: body(round) }),
  })
  if (statusCode >= 300) throw new Error(`${path} answered ${statusCode}: ${payload}`)
}

/** Source files with a function that the call ran. Background timers don't count. */
function executedFiles(coverage: readonly Profiler.ScriptCoverage[]): string[] {
  const packages = join(root, 'packages')
  return coverage
    .filter(({ functions }) => functions.some(({ ranges: [range] }) => (range?.count ?? 0) > 0))
    .flatMap(({ url }) => (url.startsWith('file:') ? [fileURLToPath(url)] : []))
    .filter((file) => file.startsWith(packages) && file.includes('/src/'))
    .map((file) => relative(packages, file))
    .toSorted()
}

const folder = await mkdtemp(join(tmpdir(), 'holdfast-executed-'))
const session = new Session()
session.connect()
try {
  const service = await start(folder)
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  for (const [name, probe] of Object.entries(probes)) {
    await call(service, probe, 1)
    await session.post('Profiler.takePreciseCoverage')
    await call(service, probe, 2)
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const files = executedFiles(result)
    console.log(`${name.padEnd(16)} ${files.length} files`)
    if (process.argv.includes(name)) for (const file of files) console.log(`  ${file}`)
  }
  await service.app.stop()
} finally {
  session.disconnect()
  await rm(folder, { recursive: true })
}
