import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildProgram } from './build-program.ts'
import { megabytes, precise, whole } from './figures.ts'
import { createClient } from './http-client.ts'
import { describeMachine, readProcess, watchLoad } from './machine.ts'
import { loopDelay, readMetrics } from './metrics.ts'
import { drawPlot } from './plot.ts'
import { randomFrom } from './random.ts'
import type { Results } from './results.ts'
import { summarize, type Summary } from './samples.ts'
import { table } from './table.ts'
import { timeCalls } from './timed-calls.ts'
import { loadVault, search, withVault, writeNext, type BenchVault } from './vault.ts'

/** Searches and writes of many clients at once, for as long as memory needs to show whether it grows. */
interface MixedFigures {
  size: number
  seconds: number
  search: Summary
  write: Summary
  perSecond: number
  cpuMsPerCall: number
  startRssBytes: number
  parts: Part[]
}

type Kind = 'search' | 'write'

/** A tenth of the time. */
interface Part {
  search: Summary
  write: Summary
  perSecond: number
  rssBytes: number
  loopDelayMs: number
}

const connections = 32
const writeShare = 0.2
const parts = 10
const warmUpCalls = 200
const seed = 20_261_130

export async function runMixed({ size, seconds }: { size: number; seconds: number }): Promise<Results> {
  const program = await buildProgram()
  const describeLoad = watchLoad()
  const figures = await withVault({ embeddings: 'static', program }, { size, connections }, async (vault) => {
    await loadVault(vault)
    await timeCalls(warmUpCalls, connections, (number) => search(vault, number))
    process.stderr.write(`${seconds} seconds …\n`)
    return measure(vault, seconds)
  })
  return {
    name: 'results of mixed calls',
    text: [describeMachine(tmpdir()), describeLoad(), ...describe(figures)].join('\n\n'),
    summary: [summarizeFigures(figures)],
    plots: plot(figures),
  }
}

async function measure(vault: BenchVault, seconds: number): Promise<MixedFigures> {
  const { pid } = vault.server
  const before = readProcess(pid)
  const partMs = (seconds * 1_000) / parts
  const times: Record<Kind, number[][]> = { search: [], write: [] }
  const timesOf = (kind: Kind, part: number) => (times[kind][part] ??= [])
  const isOver = new AbortController()
  const end = () => isOver.abort()
  const began = performance.now()
  const onAnswer = (kind: Kind, ms: number) =>
    void timesOf(kind, Math.min(parts - 1, Math.floor((performance.now() - began) / partMs))).push(ms)
  const [watched] = await Promise.all([
    watch(vault, partMs, isOver.signal).finally(end),
    callUntil(vault, isOver.signal, onAnswer).finally(end),
  ])
  const all = { search: times.search.flat(), write: times.write.flat() }
  const count = all.search.length + all.write.length
  return {
    size: vault.size,
    seconds,
    search: summarize(all.search),
    write: summarize(all.write),
    perSecond: count / seconds,
    cpuMsPerCall: (readProcess(pid).cpuMs - before.cpuMs) / count,
    startRssBytes: before.rssBytes,
    parts: watched.map((facts, part) => {
      const [searches, writes] = [timesOf('search', part), timesOf('write', part)]
      const perSecond = ((searches.length + writes.length) * 1_000) / partMs
      return { search: summarize(searches), write: summarize(writes), perSecond, ...facts }
    }),
  }
}

type Watched = Pick<Part, 'rssBytes' | 'loopDelayMs'>

/** Reads the server's memory and delay at the end of each part, over a connection of its own. */
async function watch({ server }: BenchVault, partMs: number, signal: AbortSignal): Promise<Watched[]> {
  const client = createClient(server.url, undefined, 1)
  const began = performance.now()
  const watched: Watched[] = []
  try {
    await readMetrics(client)
    for (let part = 1; part <= parts; part++) {
      await sleep(began + part * partMs - performance.now(), undefined, { signal })
      const metrics = await readMetrics(client)
      watched.push({ rssBytes: readProcess(server.pid).rssBytes, loopDelayMs: metrics(loopDelay) * 1_000 })
    }
    return watched
  } finally {
    client.close()
  }
}

async function callUntil(
  vault: BenchVault,
  isOver: AbortSignal,
  onAnswer: (kind: Kind, ms: number) => void,
): Promise<void> {
  const random = randomFrom(seed)
  let question = warmUpCalls
  const work = async () => {
    while (!isOver.aborted) {
      const isWrite = random.next() < writeShare
      const start = performance.now()
      await (isWrite ? writeNext(vault) : search(vault, question++))
      onAnswer(isWrite ? 'write' : 'search', performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
}

function describe({ size, seconds, ...figures }: MixedFigures): string[] {
  const lastRssBytes = figures.parts.at(-1)?.rssBytes ?? 0
  const row = (name: string, { count, p50, p95, p99 }: Summary) => [
    name,
    whole(count),
    precise(p50),
    precise(p95),
    precise(p99),
    whole(count / seconds),
  ]
  const partRow = (part: Part, at: number) => [
    String(((at + 1) * seconds) / parts),
    whole(part.perSecond),
    precise(part.search.p50),
    precise(part.search.p99),
    precise(part.write.p50),
    precise(part.write.p99),
    precise(part.loopDelayMs),
    String(megabytes(part.rssBytes)),
  ]
  return [
    `### ${whole(size)} memories, ${connections} connections, ${seconds} s`,
    `${whole(figures.perSecond)} calls a second, ${precise(figures.cpuMsPerCall)} ms of the server's processor time each. RSS was ${megabytes(figures.startRssBytes)} MB at the start and ${megabytes(lastRssBytes)} MB at the end.`,
    table(
      ['calls', 'n', 'p50 ms', 'p95 ms', 'p99 ms', 'per second'],
      [row('search-memories', figures.search), row('write-memory', figures.write)],
    ),
    table(
      ['until s', 'calls per second', 'search p50 ms', 'p99', 'write p50 ms', 'p99', 'loop delay p99 ms', 'RSS MB'],
      figures.parts.map(partRow),
    ),
  ]
}

function summarizeFigures({ size, seconds, ...figures }: MixedFigures) {
  const rss = [figures.startRssBytes, figures.parts.at(-1)?.rssBytes ?? 0].map(megabytes)
  return [
    `${connections} clients, one call in five a write`,
    `${whole(figures.perSecond)} calls/s, search p99 ${whole(figures.search.p99)} ms, write p99 ${whole(figures.write.p99)} ms; RSS ${rss.join(' to ')} MB in ${seconds} s, at ${whole(size)} memories`,
  ] as const
}

function plot({ seconds, parts: all, startRssBytes }: MixedFigures): Record<string, string> {
  const points = (valueOf: (part: Part) => number) =>
    all.map((part, at) => [((at + 1) * seconds) / parts, valueOf(part)] as const)
  const x = { label: 'seconds' }
  return {
    'mixed-latency.svg': drawPlot({
      title: `${connections} clients search and write: time to answer`,
      x,
      y: { label: 'milliseconds' },
      lines: [
        { name: 'search p50', points: points((part) => part.search.p50) },
        { name: 'search p99', points: points((part) => part.search.p99) },
        { name: 'write p50', points: points((part) => part.write.p50) },
        { name: 'write p99', points: points((part) => part.write.p99) },
      ],
    }),
    'mixed-memory.svg': drawPlot({
      title: `${connections} clients search and write: memory of the server`,
      x,
      y: { label: 'megabytes' },
      lines: [{ name: 'RSS', points: [[0, megabytes(startRssBytes)], ...points((part) => megabytes(part.rssBytes))] }],
    }),
  }
}
