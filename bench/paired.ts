import { loadavg } from 'node:os'
import { folderBytes, readProcess } from './machine.ts'
import { summarize, type Summary } from './samples.ts'
import type { BenchEmbeddings } from './server.ts'
import { sampleCalls, type CallSamples } from './timed-calls.ts'
import { inTurns, type Turn } from './turns.ts'
import { closeVault, loadConnections, openVault, search, writeNext, type BenchVault } from './vault.ts'

/**
 * What embeddings cost: two servers with the same memories, one without embeddings and one with the built-in model. They
 * are called in turns, so other load on the machine affects both equally.
 */
export interface PairedFigures {
  size: number
  bare: SideFigures
  embedding: SideFigures
  loadAverage: { before: number; after: number }
}

export interface SideFigures {
  load: Rate
  write: Rate
  write8: Rate
  search: Rate
  /** The same questions again. */
  searchAgain: Rate
  searchAfterWrite: Rate
  rssBytes: number
  peakRssBytes: number
  startAndSearchMs: number
  diskBytesPerMemory: number
}

/** Over all turns. */
export interface Rate {
  times: Summary
  perSecond: number
  /** Processor time of the server: the figure that other programs affect least. */
  cpuMsPerCall: number
  /** Per turn, to compare pairs of turns. */
  turnsPerSecond: number[]
}

const turns = 10
const warmUpCalls = 100

export async function measurePaired(size: number, { isQuick }: { isQuick: boolean }): Promise<PairedFigures> {
  const before = loadavg()[0] ?? 0
  const sides: BenchVault[] = []
  const open = async (embeddings: BenchEmbeddings) => {
    const side = await openVault({ embeddings }, { size, connections: loadConnections })
    sides.push(side)
    return side
  }
  try {
    const figures = await measureSides(await open('none'), await open('static'), isQuick ? 100 : 500)
    return { size, ...figures, loadAverage: { before, after: loadavg()[0] ?? 0 } }
  } finally {
    for (const side of sides) await closeVault(side)
  }
}

async function measureSides(bare: BenchVault, embedding: BenchVault, calls: number) {
  const compare = async (measure: (side: BenchVault, turn: number) => Promise<CallSamples>) => {
    const [first, second] = await inTurns([bare, embedding], turns, measure)
    return [summarizeTurns(first), summarizeTurns(second)] as const
  }
  const load = await compare((side) => writeMany(side, bare.size / turns, loadConnections))
  await compare((side) => searchMany(side, warmUpCalls / turns, calls))
  const write = await compare((side) => writeMany(side, (calls * 4) / turns, 1))
  const write8 = await compare((side) => writeMany(side, (calls * 16) / turns, 8))
  const searches = await compare((side, turn) => searchMany(side, calls / turns, (turn * calls) / turns))
  const searchAgain = await compare((side, turn) => searchMany(side, calls / turns, (turn * calls) / turns))
  const searchAfterWrite = await compare((side, turn) => searchAfterWrites(side, calls / turns, (turn * calls) / turns))
  const collectFigures = async (side: BenchVault, at: 0 | 1): Promise<SideFigures> => ({
    load: load[at],
    write: write[at],
    write8: write8[at],
    search: searches[at],
    searchAgain: searchAgain[at],
    searchAfterWrite: searchAfterWrite[at],
    ...(await measureProcess(side, calls)),
  })
  return { bare: await collectFigures(bare, 0), embedding: await collectFigures(embedding, 1) }
}

function summarizeTurns(parts: readonly Turn[]): Rate {
  const all = parts.flatMap(({ samples }) => [...samples])
  const totalMs = parts.reduce((sum, part) => sum + part.totalMs, 0)
  return {
    times: summarize(all),
    perSecond: (all.length * 1_000) / totalMs,
    cpuMsPerCall: parts.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / all.length,
    turnsPerSecond: parts.map((part) => (part.samples.length * 1_000) / part.totalMs),
  }
}

async function measureProcess(side: BenchVault, calls: number) {
  const { rssBytes, peakRssBytes } = readProcess(side.server.pid)
  const startMs = await side.server.restart()
  const firstSearch = await searchMany(side, 1, calls)
  return {
    rssBytes,
    peakRssBytes,
    startAndSearchMs: startMs + firstSearch.totalMs,
    diskBytesPerMemory: folderBytes(side.server.dataDir) / side.ids.length,
  }
}

const writeMany = (side: BenchVault, count: number, connections: number): Promise<CallSamples> =>
  sampleCalls(count, connections, () => writeNext(side))

const searchMany = (side: BenchVault, count: number, from: number): Promise<CallSamples> =>
  sampleCalls(count, 1, (number) => search(side, from + number))

/** Each search must see the write before it. The time of the write does not count. */
async function searchAfterWrites(side: BenchVault, count: number, from: number): Promise<CallSamples> {
  const samples = new Float64Array(count)
  for (let number = 0; number < count; number++) {
    await writeNext(side)
    const start = performance.now()
    await search(side, from + number)
    samples[number] = performance.now() - start
  }
  return { samples, totalMs: samples.reduce((sum, ms) => sum + ms, 0) }
}
