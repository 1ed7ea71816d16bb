import { tmpdir } from 'node:os'
import { buildProgram } from './build-program.ts'
import { megabytes, precise, whole } from './figures.ts'
import { describeMachine, folderBytes, readProcess, watchLoad } from './machine.ts'
import { indexBytes, readMetrics } from './metrics.ts'
import { drawPlot } from './plot.ts'
import type { Results } from './results.ts'
import { summarize, type Summary } from './samples.ts'
import { table } from './table.ts'
import { timeCalls, timeCallsTo, type CallFigures } from './timed-calls.ts'
import { loadConnections, loadVault, search, withVault, writeNext, type BenchVault } from './vault.ts'

/** One vault that grows from size to size. */
interface GrowthFigures {
  size: number
  search: CallFigures
  write: CallFigures
  /** The first searches of new processes, whose index isn't in memory. */
  coldSearch: Summary
  diskBytesPerMemory: number
  indexBytes: number
  /** After a start and the same searches. */
  rssBytes: number
}

const calls = 500
const warmUpCalls = 200
const coldStarts = 3

export async function runGrowth(sizes: readonly number[]): Promise<Results> {
  const program = await buildProgram()
  const describeLoad = watchLoad()
  const figures: GrowthFigures[] = []
  await withVault({ embeddings: 'static', program }, { size: 0, connections: loadConnections }, async (vault) => {
    for (const size of sizes.toSorted((a, b) => a - b)) {
      vault.size = size
      await loadVault(vault)
      figures.push(await measure(vault))
    }
  })
  return {
    name: 'results of growth',
    text: [describeMachine(tmpdir()), describeLoad(), describe(figures)].join('\n\n'),
    summary: summarizeFigures(figures),
    plots: plot(figures),
  }
}

async function measure(vault: BenchVault): Promise<GrowthFigures> {
  const { server, client, size } = vault
  const coldTimes: number[] = []
  for (let start = 0; start < coldStarts; start++) {
    await server.restart()
    const { times } = await timeCalls(1, 1, () => search(vault, calls + warmUpCalls + start))
    coldTimes.push(times.p50)
  }
  await timeCalls(warmUpCalls, 1, (number) => search(vault, calls + number))
  const searching = await timeCallsTo(server.pid, calls, 1, (number) => search(vault, number))
  const { rssBytes } = readProcess(server.pid)
  const metrics = await readMetrics(client)
  const diskBytesPerMemory = folderBytes(server.dataDir) / vault.ids.length
  const write = await timeCallsTo(server.pid, calls, 1, () => writeNext(vault))
  return {
    size,
    search: searching,
    write,
    coldSearch: summarize(coldTimes),
    diskBytesPerMemory,
    indexBytes: metrics(indexBytes),
    rssBytes,
  }
}

const describe = (figures: readonly GrowthFigures[]): string =>
  table(
    [
      'memories',
      'search p50 ms',
      'p95',
      'p99',
      'CPU ms',
      'write p50 ms',
      'p99',
      'CPU ms',
      'first search ms',
      'bytes each on disk',
      'index MB',
      'RSS MB',
    ],
    figures.map(({ size, search: searches, write, ...rest }) => [
      whole(size),
      ...[searches.times.p50, searches.times.p95, searches.times.p99, searches.cpuMsPerCall].map(precise),
      ...[write.times.p50, write.times.p99, write.cpuMsPerCall].map(precise),
      whole(rest.coldSearch.p50),
      whole(rest.diskBytesPerMemory),
      (rest.indexBytes / 1e6).toFixed(1),
      String(megabytes(rest.rssBytes)),
    ]),
  )

function summarizeFigures(figures: readonly GrowthFigures[]): NonNullable<Results['summary']> {
  const show = (name: string, unit: string, figureOf: (figures: GrowthFigures) => string) => {
    const places = figures.map((each) => `${figureOf(each)} at ${whole(each.size)}`)
    return [`${name}, ${unit}`, `${places.join(', ')} memories`] as const
  }
  const percentiles = ({ times }: CallFigures) => `${times.p50.toFixed(1)} (${times.p99.toFixed(1)})`
  return [
    show('A search, p50 (p99)', 'ms', (each) => percentiles(each.search)),
    show('A durable write, p50 (p99)', 'ms', (each) => percentiles(each.write)),
    show('RSS after searches', 'MB', ({ rssBytes }) => String(megabytes(rssBytes))),
    show('A memory on disk', 'bytes', ({ diskBytesPerMemory }) => whole(diskBytesPerMemory)),
  ]
}

function plot(figures: readonly GrowthFigures[]): Record<string, string> {
  const points = (valueOf: (figures: GrowthFigures) => number) =>
    figures.map((each) => [each.size, valueOf(each)] as const)
  const x = { label: 'memories in the vault', isLogarithmic: true }
  return {
    'growth-time.svg': drawPlot({
      title: 'A vault grows: time to answer',
      x,
      y: { label: 'milliseconds', isLogarithmic: true },
      lines: [
        { name: 'search p50', points: points((each) => each.search.times.p50) },
        { name: 'search p99', points: points((each) => each.search.times.p99) },
        { name: 'write p50', points: points((each) => each.write.times.p50) },
        { name: 'first search', points: points((each) => each.coldSearch.p50) },
      ],
    }),
    'growth-memory.svg': drawPlot({
      title: 'A vault grows: memory of the server',
      x,
      y: { label: 'megabytes', isLogarithmic: true },
      lines: [
        { name: 'RSS', points: points((each) => each.rssBytes / 1e6) },
        { name: 'index', points: points((each) => each.indexBytes / 1e6) },
      ],
    }),
  }
}
