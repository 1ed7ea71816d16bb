import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { buildProgram } from './build-program.ts'
import { createCorpus } from './corpus.ts'
import { megabytes } from './figures.ts'
import { measureEcho, timeSyncs, type EchoFloor } from './floor.ts'
import { describeMachine, readProcess, watchLoad } from './machine.ts'
import { readNumber } from './read-number.ts'
import { report, type Results } from './results.ts'
import { summarize } from './samples.ts'
import { table } from './table.ts'
import { sampleCalls, timeCalls } from './timed-calls.ts'
import { loadConnections, search, withVault, writeNext, type BenchVault } from './vault.ts'

/**
 * node bench/just-started.ts [--rounds 3] [--write]
 * Builds the package that npm installs, and measures what an agent on a laptop sees: servers that have just started, with an empty store
 * and the built-in model. --write: updates docs/benchmarks.md.
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, write: { type: 'boolean', default: false } },
})
const rounds = readNumber('rounds', values.rounds, { least: 1, most: 20 })

const seed = 20_261_129
const firstWrites = 1_000
const writesOf16 = 400
/** Longer than the server waits before it gives back the memory of its start. */
const idleMs = 8_000

/** Each server has just started, except where it is said to be idle. */
interface Round {
  readyMs: number
  commandMs: number
  idleRssBytes: number
  writesPerSecond: number
  writeP50: number
  firstHundredP50: number
  lastHundredP50: number
  searchP50: number
  writesPerSecondOf16: number
  writeP99Of16: number
  syncsPerSecond: number
}

report(await runJustStarted(), values.write)

async function runJustStarted(): Promise<Results> {
  const program = await buildProgram()
  const describeLoad = watchLoad()
  const echo = await measureEcho(createCorpus(seed).memoryAt(0), 2_000)
  const measured: Round[] = []
  for (let round = 1; round <= rounds; round++) {
    process.stderr.write(`Round ${round} …\n`)
    const one = await measureOneClient(program)
    const many = await measureManyClients(program)
    measured.push({ ...one, ...many, ...(await measureIdle(program)) })
  }
  return {
    name: 'results of a new server',
    text: [describeMachine(tmpdir()), ...describe(measured, echo, describeLoad())].join('\n\n'),
    summary: [
      [
        'A new, empty server, as npm installs it',
        `answers ${median(measured.map((round) => round.readyMs)).toFixed(0)} ms after its start; ${megabytes(median(measured.map((round) => round.idleRssBytes)))} MB of RSS when idle`,
      ],
    ],
  }
}

async function measureOneClient(program: string) {
  return withServer(program, async (vault) => {
    const { startMs: readyMs, dataDir } = vault.server
    const syncs = [timeSyncs(dataDir, 300)]
    const { samples, totalMs } = await sampleCalls(firstWrites, 1, () => writeNext(vault))
    syncs.push(timeSyncs(dataDir, 300))
    const searches = await timeCalls(300, 1, (number) => search(vault, number))
    return {
      readyMs,
      commandMs: timeCommand(program),
      writesPerSecond: (firstWrites * 1_000) / totalMs,
      writeP50: summarize(samples).p50,
      firstHundredP50: summarize(samples.subarray(0, 100)).p50,
      lastHundredP50: summarize(samples.subarray(-100)).p50,
      searchP50: searches.times.p50,
      syncsPerSecond: 1_000 / median(syncs.flatMap((part) => [...part])),
    }
  })
}

async function measureManyClients(program: string) {
  return withServer(program, async (vault) => {
    const { times, perSecond } = await timeCalls(writesOf16, loadConnections, () => writeNext(vault))
    return { writesPerSecondOf16: perSecond, writeP99Of16: times.p99 }
  })
}

async function measureIdle(program: string) {
  return withServer(program, async ({ server }) => {
    await sleep(idleMs)
    return { idleRssBytes: readProcess(server.pid).rssBytes }
  })
}

function withServer<T>(program: string, measure: (vault: BenchVault) => Promise<T>): Promise<T> {
  return withVault({ embeddings: 'static', program }, { size: firstWrites, connections: loadConnections }, measure)
}

/** A command that calls no server. */
function timeCommand(program: string): number {
  const run = () => {
    const start = performance.now()
    const { status, stderr } = spawnSync(process.execPath, [program, 'connect', '--help'], { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    return performance.now() - start
  }
  // The first one fills the cache of compiled code.
  return median(Array.from({ length: 6 }, run).slice(1))
}

function median(samples: readonly number[]): number {
  return summarize(samples).p50
}

function describe(measured: readonly Round[], { echo, echo16, echoStartMs, echoRssBytes }: EchoFloor, load: string) {
  const row = (name: string, unit: string, valueOf: (round: Round) => number, floor = '') => {
    const sorted = measured.map(valueOf).toSorted((a, b) => a - b)
    const show = (value = 0) => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 0 })
    return [name, `${show(median(sorted))} ${unit}`, `${show(sorted[0])} to ${show(sorted.at(-1))}`, floor]
  }
  const syncs = median(measured.map(({ syncsPerSecond }) => syncsPerSecond))
  const ofSyncs = (perSecond: number) => `${(perSecond / syncs).toFixed(2)} of the syncs a second`
  const ofEcho = (ms: number) => `${(ms / echo.times.p50).toFixed(1)} × echo`
  const of = (valueOf: (round: Round) => number) => median(measured.map(valueOf))
  const rows = [
    row('start to first answered call', 'ms', (r) => r.readyMs, `echo's start: ${echoStartMs.toFixed(0)} ms`),
    row('a command (`connect --help`)', 'ms', (r) => r.commandMs),
    row('RSS, idle', 'MB', (r) => r.idleRssBytes / 1e6, `echo's: ${megabytes(echoRssBytes)} MB`),
    row('first 1,000 writes, 1 client', '/s', (r) => r.writesPerSecond, ofSyncs(of((r) => r.writesPerSecond))),
    row('… p50', 'ms', (r) => r.writeP50, ofEcho(of((r) => r.writeP50))),
    row('… p50 of the first 100', 'ms', (r) => r.firstHundredP50),
    row('… p50 of the last 100', 'ms', (r) => r.lastHundredP50),
    row('search at 1,000 memories, p50', 'ms', (r) => r.searchP50, ofEcho(of((r) => r.searchP50))),
    row('first 400 writes, 16 clients', '/s', (r) => r.writesPerSecondOf16, ofSyncs(of((r) => r.writesPerSecondOf16))),
    row('… p99', 'ms', (r) => r.writeP99Of16),
    row('floor: 8 KiB append and fdatasync', '/s', (r) => r.syncsPerSecond),
  ]
  return [
    `${load} Echo: ${echo.times.p50.toFixed(2)} ms, ${echo16.perSecond.toFixed(0)}/s over 16 connections.`,
    table(['', 'median', `of ${measured.length} rounds`, 'against the floor'], rows),
  ]
}
