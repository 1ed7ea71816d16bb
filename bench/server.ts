import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from './http-client.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const root = dirname(import.meta.dirname)
const sources = join(root, 'packages', 'server', 'src', 'main.ts')

/** A real server process with its own data folder and one agent key. */
export interface BenchServer {
  readonly url: string
  readonly agentKey: string
  readonly dataDir: string
  readonly pid: number
  /**
   * Stops the server cleanly and starts it again, with more settings if there are any. Returns the milliseconds from the start to the first
   * answered agent call.
   */
  restart(settings?: Settings): Promise<number>
  /** The milliseconds of the first start. */
  readonly startMs: number
  /** Stops the process, prints its warnings, and removes its folders. */
  stop(): Promise<void>
}

const startTimeoutMs = 30_000

/** Where vectors come from. With `none`, search uses only words and links. `env`: the HOLDFAST_EMBEDDINGS settings of this process. */
export type BenchEmbeddings = 'none' | 'static' | 'env'

type Settings = Readonly<Record<`HOLDFAST_${string}`, string>>

export interface ServerOptions {
  embeddings: BenchEmbeddings
  /** The file of the command line. Default: the sources of this checkout. */
  program?: string
}

export async function startBenchServer({ embeddings, program = sources }: ServerOptions): Promise<BenchServer> {
  const folder = makeFolder()
  const dataDir = join(folder, 'data')
  const logFile = join(folder, 'server.log')
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const env = { ...environment(folder, port), ...embeddingSettings(embeddings) }
  const agentKey = setUp(program, env)
  const started = performance.now()
  let child = spawnServer(program, env, logFile)
  const stopProcess = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  await waitForAnswer(child, url, agentKey, logFile)
  const startMs = performance.now() - started
  return {
    url,
    agentKey,
    dataDir,
    startMs,
    get pid() {
      return requirePid(child)
    },
    async restart(settings = {}) {
      await stopProcess()
      const start = performance.now()
      child = spawnServer(program, { ...env, ...settings }, logFile)
      await waitForAnswer(child, url, agentKey, logFile)
      return performance.now() - start
    },
    async stop() {
      await stopProcess()
      process.stderr.write(readLogLines(logFile))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function makeFolder(): string {
  const folder = makeTemporaryFolder()
  for (const name of ['data', 'keys']) mkdirSync(join(folder, name), { mode: 0o700 })
  return folder
}

export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('The system returned no port')
  return address.port
}

/** The benchmark measures the server, not its limits. */
export const withoutRateLimits = Object.fromEntries(
  ['READ', 'WRITE', 'SEARCH', 'INGEST'].map((name) => [`HOLDFAST_RATE_LIMIT_${name}`, '0']),
)

// The settings of the person who runs the benchmark must not affect it.
function environment(folder: string, port: number): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('HOLDFAST_'))
  return {
    ...Object.fromEntries(others),
    HOLDFAST_DATA_DIR: join(folder, 'data'),
    HOLDFAST_KEY_DIR: join(folder, 'keys'),
    HOLDFAST_PORT: String(port),
    HOLDFAST_LOG_LEVEL: 'warn',
    ...withoutRateLimits,
  }
}

function embeddingSettings(embeddings: BenchEmbeddings): NodeJS.ProcessEnv {
  if (embeddings !== 'env') return { HOLDFAST_EMBEDDINGS: embeddings }
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('HOLDFAST_EMBEDDINGS')))
}

/** Creates a user and an agent with the command line, and returns the agent's key. */
export function setUp(program: string, env: NodeJS.ProcessEnv): string {
  const args = [program, 'setup', '--email', 'bench@example.org', '--password-stdin', '--json']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env,
    input: 'correct horse battery staple\n',
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`Setup failed with exit code ${status}:\n${stderr}`)
  const { agentKey } = JSON.parse(stdout) as { agentKey: string }
  return agentKey
}

function spawnServer(program: string, env: NodeJS.ProcessEnv, logFile: string): ChildProcess {
  const log = openSync(logFile, 'a')
  const child = spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', log, log] })
  closeSync(log)
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  return child
}

async function waitForAnswer(child: ChildProcess, url: string, agentKey: string, logFile: string): Promise<void> {
  const client = createClient(url, agentKey, 1)
  const deadline = performance.now() + startTimeoutMs
  try {
    while (child.exitCode === null && performance.now() < deadline) {
      const isAnswered = await client.get('/api/agent/info').then(
        () => true,
        () => false,
      )
      if (isAnswered) return
      await sleep(2)
    }
  } finally {
    client.close()
  }
  throw new Error(`The server did not answer:\n${readFileSync(logFile, 'utf8')}`)
}

function requirePid({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('The server did not start')
  return pid
}

/** Returns the log lines, which are JSON. The rest of the output is the start message. */
const readLogLines = (logFile: string): string =>
  readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => `${line}\n`)
    .join('')
