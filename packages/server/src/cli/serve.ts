import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { hasOwner } from '../accounts/store.ts'
import type { App } from '../app.ts'
import type { Config } from '../config.ts'
import { isOpenToOthers } from '../core/private-file.ts'
import { commandLineHere, dataDirOption, version } from '../core/program.ts'
import { createLog, type Log } from '../core/log.ts'
import { quoteForShell } from '../core/quote-for-shell.ts'
import { driverCode, StoreError } from '../db/store-error.ts'
import type { TelemetrySettings } from '../telemetry/read-settings.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { CommandError, exitCodes } from './exit-codes.ts'

/** Runs the server until a signal stops it. Resolves when everything is written and closed. */
export async function serve(config: Config): Promise<void> {
  // Check the port before creating a data folder. If there is one, its lock gives the better error.
  if (config.port !== 0 && !existsSync(config.dataDir)) await probePort(config)
  const { createApp } = await import('../app.ts')
  const log = createLog(config.logLevel)
  stopOnMistake(log)
  const options = {
    log,
    ...(config.telemetry && { telemetry: await loadTelemetry(config.telemetry) }),
    onFatal(reason: string) {
      // Acknowledged writes may not be on disk. The next start recovers what is there.
      log.error(`stopping at once: ${reason}, so that nothing more can be acknowledged`)
      process.exit(exitCodes.failure)
    },
  }
  const app = await awaitDatabase(config, log, () => createApp(config, options))
  const stopped = stopOnSignal(app, config, log)
  await start(app, config, log).catch(async (error: unknown) => {
    await app.stop()
    throw error
  })
  await stopped
}

const databaseWaitMs = 60_000
const databaseRetryMs = 1_000

/**
 * A database server may start after this one, or be in a failover. After a minute the process ends, so that whatever watches it learns
 * of the outage.
 */
async function awaitDatabase<T>(config: Config, log: Log, open: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + databaseWaitMs
  for (let attempt = 1; ; attempt++) {
    try {
      return await open()
    } catch (error) {
      const isAway = error instanceof StoreError && error.kind === 'away'
      if (!isAway || config.databaseUrl === undefined || performance.now() > giveUpAt) throw error
      if (attempt === 1) log.warn(`trying again for ${databaseWaitMs / 1000} s: ${error.message}`)
      await sleepUnlessStopped(databaseRetryMs)
    }
  }
}

/** The first process of a container ignores signals that it has no handler for. */
async function sleepUnlessStopped(ms: number): Promise<void> {
  const leave = () => process.exit(exitCodes.unavailable)
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
  for (const signal of signals) process.once(signal, leave)
  await sleep(ms)
  for (const signal of signals) process.off(signal, leave)
}

/** Only if it is asked for: loading it takes a fifth of a second. */
async function loadTelemetry(settings: TelemetrySettings): Promise<Telemetry> {
  const { MissingPackage, startTelemetry } = await import('../telemetry/start.ts')
  try {
    return await startTelemetry(settings)
  } catch (error) {
    if (error instanceof MissingPackage) throw new CommandError(exitCodes.failure, error.message, error.advice)
    throw error
  }
}

/** Node would print the error unchanged, and its message may quote user content. Nothing acknowledged is lost. */
function stopOnMistake(log: Log): void {
  process.on('uncaughtException', (error) => {
    log.error('stopping at once after an unexpected error', { error })
    process.exit(exitCodes.failure)
  })
}

async function start(app: App, config: Config, log: Log): Promise<void> {
  const url = await app.listen().catch((error: unknown) => {
    throw explainListen(error, config)
  })
  const setupToken = (await hasOwner(app.services.db.read)) ? undefined : app.services.setupToken.issue()
  app.operatorToken.publish(url)
  const { rootKeyOrigin } = app.services.instance
  if (isOpenToOthers(rootKeyOrigin)) log.warn('other users of this machine can read the root key file')
  if (isOpenToOthers(config.dataDir)) log.warn('other users of this machine can list the data folder')
  process.stdout.write(describeStart({ url, config, rootKeyOrigin, setupToken, isTerminal: process.stdout.isTTY }))
  releaseMemoryWhenIdle()
}

const idleMs = 2_000
/** The share of the time in which an idle process may have been busy. Its timers take 0.5 to 1.2 %. */
const idleShare = 0.02
/** Growth since the last time that is worth looking for garbage. */
const worthBytes = 32e6
/** A larger heap has work to do, and would be blocked for longer. */
const maxHeapBytes = 64e6

/**
 * Gives memory back when there is next to nothing to do; a few short calls a second are next to nothing. Starting leaves 25 MB of garbage
 * and of code that never runs again, opening the index of 100,000 memories 80 MB of garbage, and V8 would keep both until the heap grows.
 * Blocks the process for 0.1 to 0.2 s.
 */
function releaseMemoryWhenIdle(): void {
  let begin = performance.eventLoopUtilization()
  let keptBytes = 0
  setInterval(() => {
    const end = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(end, begin)
    begin = end
    const usedBytes = utilization > idleShare ? undefined : readMemory()
    if (usedBytes === undefined || usedBytes < keptBytes + worthBytes) return
    // Only once: later, calls would have to compile their code again.
    const dropsCode = keptBytes === 0
    if (process.memoryUsage().heapUsed < maxHeapBytes) collectGarbage(dropsCode)
    keptBytes = readMemory() ?? keptBytes
  }, idleMs).unref()
}

/** Undefined if no file can be opened now, where the system says this: that must not end the process. */
function readMemory(): number | undefined {
  try {
    return process.memoryUsage.rss()
  } catch {
    return undefined
  }
}

function collectGarbage(dropsCode: boolean): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: object) => void
  if (dropsCode) setFlagsFromString('--stress-flush-code')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  setFlagsFromString('--no-stress-flush-code')
  setFlagsFromString('--no-expose-gc')
}

async function probePort(config: Config): Promise<void> {
  const probe = createServer()
  try {
    await once(probe.listen(config.port, config.host), 'listening')
  } catch (error) {
    throw explainListen(error, config)
  }
  await new Promise((done) => probe.close(done))
}

function explainListen(error: unknown, { host, port }: Config): unknown {
  const next = 'Choose another port with HOLDFAST_PORT or --port.'
  const code = driverCode(error)
  if (code === 'EADDRINUSE') return new CommandError(exitCodes.failure, `Port ${port} on ${host} is in use.`, next)
  if (code === 'EACCES') return new CommandError(exitCodes.failure, `This user may not use port ${port}.`, next)
  if (code === '') return error
  return new CommandError(
    exitCodes.failure,
    `Holdfast cannot listen on ${host}, port ${port} (${code}).`,
    'Set an address of this machine with HOLDFAST_HOST or --host.',
  )
}

/** Terminals and service managers signal the whole group of processes, so a parent that passes signals on makes two of one. */
const sameSignalMs = 1_000

/**
 * Resolves after an orderly stop. Only SIGTERM drains: it comes from what starts and stops servers, the others from a person at a terminal.
 * A second signal ends the process at once, which loses nothing acknowledged.
 */
function stopOnSignal(app: App, { drainSeconds }: Config, log: Log): Promise<void> {
  return new Promise((done, fail) => {
    let startedAt: number | undefined
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.on(signal, () => {
        if (startedAt === undefined) {
          startedAt = performance.now()
          log.info(`stopping on ${signal}`)
          app.stop(signal === 'SIGTERM' ? drainSeconds * 1_000 : 0).then(done, fail)
        } else if (performance.now() - startedAt > sameSignalMs) process.exit(exitCodes.failure)
      })
  })
}

interface Start {
  url: string
  config: Config
  rootKeyOrigin: string
  setupToken: { token: string; file: string } | undefined
  isTerminal: boolean
}

/** The text that a start prints. */
export function describeStart({ url, config, rootKeyOrigin, setupToken, isTerminal }: Start): string {
  const address = (config.publicUrl ?? url).replace(/\/$/, '')
  const lines = [
    `Holdfast ${version} is running.`,
    '',
    `  Address       ${address}${config.publicUrl === undefined ? '' : ` (listens on ${url})`}`,
    ...(isLocalHost(config.host)
      ? []
      : ['                Reachable from the network without TLS: put a proxy in front.']),
    `  Dashboard     ${address}/`,
    `  API           ${address}/docs/reference`,
    `  MCP           ${address}/mcp`,
    `  Data folder   ${config.dataDir}`,
    ...(isOpenToOthers(config.dataDir)
      ? [`                Others can list this folder: chmod 700 ${quoteForShell(config.dataDir)}`]
      : []),
    `  Root key      ${rootKeyOrigin}`,
    '                Keep a copy somewhere else: without it, the data is unreadable.',
    ...(isOpenToOthers(rootKeyOrigin)
      ? [`                Others can read this file: chmod 600 ${quoteForShell(rootKeyOrigin)}`]
      : []),
    '',
  ]
  if (setupToken !== undefined)
    lines.push(
      'No account yet. Open this link within 30 minutes to create yours:',
      '',
      ...describeSetupLink(`${address}/setup`, setupToken, isTerminal),
      '',
      'or run this in another terminal:',
      '',
      `  ${commandLineHere} setup --email you@example.org${dataDirOption(config.dataDir)}`,
      '',
    )
  lines.push('Stop with Ctrl-C.', '')
  return lines.join('\n')
}

/** The token is printed only on a terminal, never in output that is kept as a log. After the `#`, browsers don't send it either. */
const describeSetupLink = (page: string, { token, file }: { token: string; file: string }, isTerminal: boolean) =>
  isTerminal ? [`  ${page}#token=${token}`] : [`  ${page}`, '', 'with the token in this file:', '', `  ${file}`]

const isLocalHost = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')
