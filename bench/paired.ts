import { loadavg } from 'node:os'
import { createCorpus, type Corpus } from './corpus.ts'
import { createClient, type Client } from './http-client.ts'
import { folderBytes, readProcess } from './machine.ts'
import { summarize, type Summary } from './samples.ts'
import { startBenchServer, type BenchEmbeddings, type BenchServer } from './server.ts'
import { sampleCalls, type CallSamples } from './timed-calls.ts'

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

interface Side {
  server: BenchServer
  client: Client
  corpus: Corpus
  size: number
  written: number
}

const seed = 20_261_121
const loadConnections = 16
const turns = 10
const warmUpCalls = 100

export async function measurePaired(size: number, { isQuick }: { isQuick: boolean }): Promise<PairedFigures> {
  const before = loadavg()[0] ?? 0
  const sides: Side[] = []
  try {
    const bare = await startSide('none', size)
    sides.push(bare)
    const embedding = await startSide('static', size)
    sides.push(embedding)
    const figures = await measureSides(bare, embedding, isQuick ? 100 : 500)
    return { size, ...figures, loadAverage: { before, after: loadavg()[0] ?? 0 } }
  } finally {
    for (const { client, server } of sides) {
      client.close()
      await server.stop()
    }
  }
}

async function startSide(embeddings: BenchEmbeddings, size: number): Promise<Side> {
  const server = await startBenchServer(embeddings)
  const client = createClient(server.url, server.agentKey, loadConnections)
  return { server, client, corpus: createCorpus(seed), size, written: 0 }
}

async function measureSides(bare: Side, embedding: Side, calls: number) {
  const sides = [bare, embedding] as const
  const load = await inTurns(sides, (side) => writeMany(side, bare.size / turns, loadConnections))
  await inTurns(sides, (side) => searchMany(side, warmUpCalls / turns, calls))
  const write = await inTurns(sides, (side) => writeMany(side, (calls * 4) / turns, 1))
  const write8 = await inTurns(sides, (side) => writeMany(side, (calls * 16) / turns, 8))
  const searches = await inTurns(sides, (side, turn) => searchMany(side, calls / turns, (turn * calls) / turns))
  const searchAgain = await inTurns(sides, (side, turn) => searchMany(side, calls / turns, (turn * calls) / turns))
  const searchAfterWrite = await inTurns(sides, (side, turn) =>
    searchAfterWrites(side, calls / turns, (turn * calls) / turns),
  )
  const collectFigures = async (side: Side, at: 0 | 1): Promise<SideFigures> => ({
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

/** Alternates the order (A B B A), so neither side always goes second. */
async function inTurns(
  [first, second]: readonly [Side, Side],
  measure: (side: Side, turn: number) => Promise<CallSamples>,
): Promise<[Rate, Rate]> {
  const parts: [Turn[], Turn[]] = [[], []]
  for (let turn = 0; turn < turns; turn++) {
    for (const at of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const side = at === 0 ? first : second
      const before = readProcess(side.server.pid).cpuMs
      const samples = await measure(side, turn)
      parts[at].push({ ...samples, cpuMs: readProcess(side.server.pid).cpuMs - before })
    }
  }
  return [summarizeTurns(parts[0]), summarizeTurns(parts[1])]
}

interface Turn extends CallSamples {
  cpuMs: number
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

async function measureProcess(side: Side, calls: number) {
  const { rssBytes, peakRssBytes } = readProcess(side.server.pid)
  const startMs = await side.server.restart()
  const firstSearch = await searchMany(side, 1, calls)
  return {
    rssBytes,
    peakRssBytes,
    startAndSearchMs: startMs + firstSearch.totalMs,
    diskBytesPerMemory: folderBytes(side.server.dataDir) / side.written,
  }
}

const writeMany = (side: Side, count: number, connections: number): Promise<CallSamples> =>
  sampleCalls(count, connections, () => writeNext(side))

async function writeNext(side: Side): Promise<void> {
  await side.client.post('/api/agent/write-memory', side.corpus.memoryAt(side.written++))
}

const searchMany = (side: Side, count: number, from: number): Promise<CallSamples> =>
  sampleCalls(count, 1, (number) => search(side, from + number))

async function search({ client, corpus, size }: Side, number: number): Promise<void> {
  const query = corpus.questionAt(number, size)
  const { memories } = await client.post<{ memories: unknown[] }>('/api/agent/search-memories', { query })
  // A search that finds nothing would be fast for the wrong reason.
  if (memories.length === 0) throw new Error(`Question ${number} found nothing`)
}

/** Each search must see the write before it. The time of the write does not count. */
async function searchAfterWrites(side: Side, count: number, from: number): Promise<CallSamples> {
  const samples = new Float64Array(count)
  for (let number = 0; number < count; number++) {
    await writeNext(side)
    const start = performance.now()
    await search(side, from + number)
    samples[number] = performance.now() - start
  }
  return { samples, totalMs: samples.reduce((sum, ms) => sum + ms, 0) }
}
