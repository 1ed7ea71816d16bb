import { megabytes, whole } from './figures.ts'
import type { PairedFigures, Rate, SideFigures } from './paired.ts'
import type { Summary } from './samples.ts'
import type { SpeedFigures } from './speed.ts'
import { table } from './table.ts'
import type { CallFigures } from './timed-calls.ts'

/** Prints figures as Markdown tables, each with the floor of its run. */
export function describeSpeed(machine: string, runs: readonly SpeedFigures[]): string {
  return [machine, ...runs.map(describeRun)].join('\n\n')
}

function describeRun(figures: SpeedFigures): string {
  const { size, loadAverage } = figures
  return [
    `### ${whole(size)} memories in one vault`,
    inShort(figures),
    `Load average ${loadAverage.before.toFixed(2)} before, ${loadAverage.after.toFixed(2)} after.`,
    table(
      ['calls', 'n', 'p50 ms', 'p95 ms', 'p99 ms', 'per second', 'server CPU ms', 'against the floor'],
      callRows(figures),
    ),
    table(['once', 'measured', 'against the floor'], singleRows(figures)),
  ].join('\n\n')
}

function inShort({
  search,
  write,
  write16,
  search32,
  writeMeanwhile,
  startMs,
  diskBytesPerMemory,
}: SpeedFigures): string {
  return [
    `One client waits ${search.times.p50.toFixed(1)} ms for a search and ${write.times.p50.toFixed(1)} ms for a durable write (medians).`,
    `16 clients write ${whole(write16.perSecond)} memories a second. 32 clients search ${whole(search32.perSecond)} times a second;`,
    `meanwhile, 99 % of another client's writes take at most ${whole(writeMeanwhile.p99)} ms.`,
    `A start takes ${(startMs / 1_000).toFixed(1)} s, a memory ${whole(diskBytesPerMemory)} bytes on disk.`,
  ].join(' ')
}

/** Prints what embeddings cost: the same calls to a server without and to a server with them. */
export function describePaired(machine: string, runs: readonly PairedFigures[]): string {
  return [machine, ...runs.map(describePair)].join('\n\n')
}

function describePair({ size, bare, embedding, loadAverage }: PairedFigures): string {
  const rate = (name: string, rateOf: (side: SideFigures) => Rate) => {
    const [without, withThem] = [rateOf(bare), rateOf(embedding)]
    const ratios = without.turnsPerSecond.map((perSecond, turn) => (withThem.turnsPerSecond[turn] ?? 0) / perSecond)
    const sorted = ratios.toSorted((a, b) => a - b)
    return [
      name,
      whole(without.times.count),
      ...[without, withThem].flatMap(({ times, perSecond, cpuMsPerCall }) => [
        times.p50.toFixed(2),
        times.p95.toFixed(2),
        whole(perSecond),
        cpuMsPerCall.toFixed(2),
      ]),
      (withThem.perSecond / without.perSecond).toFixed(2),
      `${sorted[0]?.toFixed(2)} to ${sorted.at(-1)?.toFixed(2)}`,
    ]
  }
  const columns = ['p50 ms', 'p95', 'per second', 'server CPU ms']
  const once = (name: string, valueOf: (side: SideFigures) => number, unit: string) => [
    name,
    `${whole(valueOf(bare))} ${unit}`,
    `${whole(valueOf(embedding))} ${unit}`,
  ]
  return [
    `### ${whole(size)} memories in one vault, without and with embeddings`,
    `Load average ${loadAverage.before.toFixed(2)} before, ${loadAverage.after.toFixed(2)} after.`,
    table(
      ['calls', 'n', ...columns, ...columns.map((name) => `with: ${name}`), 'with / without', 'by turns'],
      [
        rate('load, 16 connections', ({ load }) => load),
        rate('write-memory, 1 connection', ({ write }) => write),
        rate('write-memory, 8 connections', ({ write8 }) => write8),
        rate('search-memories', ({ search }) => search),
        rate('search-memories, repeated', ({ searchAgain }) => searchAgain),
        rate('search-memories after a write', ({ searchAfterWrite }) => searchAfterWrite),
      ],
    ),
    table(
      ['once', 'without', 'with'],
      [
        once('RSS after the searches', ({ rssBytes }) => rssBytes / 1e6, 'MB'),
        once('RSS at its highest', ({ peakRssBytes }) => peakRssBytes / 1e6, 'MB'),
        once('start to first search answer', ({ startAndSearchMs }) => startAndSearchMs, 'ms'),
        once('disk per memory', ({ diskBytesPerMemory }) => diskBytesPerMemory, 'bytes'),
      ],
    ),
  ].join('\n\n')
}

function callRows(figures: SpeedFigures): string[][] {
  const { sync } = figures
  const { echo, echo16 } = figures.echo
  const ofSyncs = (perSecond: number) => `${(perSecond / sync.perSecond).toFixed(2)} of the syncs a second`
  // The most that one client can reach over HTTP if it waits for each answer: an echo, then a sync.
  const inTurn = 1 / (1 / sync.perSecond + 1 / echo.perSecond)
  const ofBoth = (perSecond: number) => `${(perSecond / inTurn).toFixed(2)} of an echo and a sync in turn`
  const timesEcho = ({ p50 }: Summary) => `${(p50 / echo.times.p50).toFixed(1)} × echo`
  const server = (name: string, calls: CallFigures, ratio = '') =>
    callRow(name, calls.times, { perSecond: calls.perSecond, cpu: calls.cpuMsPerCall.toFixed(2), ratio })
  return [
    callRow('floor: 8 KiB append and fdatasync', sync, { perSecond: sync.perSecond }),
    server('floor: echo, 1 connection', echo),
    server('floor: echo, 16 connections', echo16),
    server('load, 16 connections', figures.load, ofSyncs(figures.load.perSecond)),
    server(
      'write-memory, 1 connection',
      figures.write,
      `${ofSyncs(figures.write.perSecond)}, ${ofBoth(figures.write.perSecond)}`,
    ),
    server('write-memory, 16 connections', figures.write16, ofSyncs(figures.write16.perSecond)),
    server('search-memories', figures.search, timesEcho(figures.search.times)),
    callRow('search-memories after a write', figures.searchAfterWrite, { ratio: timesEcho(figures.searchAfterWrite) }),
    server('search-memories, 32 connections', figures.search32),
    callRow('write-memory meanwhile', figures.writeMeanwhile, {}),
    callRow('read-memories meanwhile, 10 ids', figures.readMeanwhile, {}),
    server('read-memories, 10 ids', figures.read, timesEcho(figures.read.times)),
  ]
}

interface Rates {
  perSecond?: number
  cpu?: string
  ratio?: string
}

function callRow(
  name: string,
  { count, p50, p95, p99 }: Summary,
  { perSecond, cpu = '', ratio = '' }: Rates,
): string[] {
  const rate = perSecond === undefined ? '' : whole(perSecond)
  return [name, whole(count), p50.toFixed(2), p95.toFixed(2), p99.toFixed(2), rate, cpu, ratio]
}

function singleRows(figures: SpeedFigures): string[][] {
  const { echoStartMs, echoRssBytes } = figures.echo
  const timesEcho = (ms: number) => `${(ms / echoStartMs).toFixed(1)} × echo's start (${whole(echoStartMs)} ms)`
  const memory = (name: string, bytes: number) => [
    name,
    `${megabytes(bytes)} MB`,
    `${(bytes / echoRssBytes).toFixed(1)} × echo's (${megabytes(echoRssBytes)} MB)`,
  ]
  const { diskBytesPerMemory: disk, textBytesPerMemory: text } = figures
  return [
    ['first search after the load', `${whole(figures.firstSearchMs)} ms`, timesEcho(figures.firstSearchMs)],
    ['start to first answered call', `${whole(figures.startMs)} ms`, timesEcho(figures.startMs)],
    ['start to first search answer', `${whole(figures.startAndSearchMs)} ms`, timesEcho(figures.startAndSearchMs)],
    memory('RSS after the load', figures.loadedRssBytes),
    memory('RSS after the searches', figures.searchedRssBytes),
    memory('RSS at its highest', figures.peakRssBytes),
    memory('RSS after restart and a search', figures.restartedRssBytes),
    ['disk per memory', `${whole(disk)} bytes`, `${(disk / text).toFixed(1)} × its text (${whole(text)} bytes)`],
  ]
}
