import { loadavg } from 'node:os'
import { measureEcho, timeSyncs, type EchoFloor } from './floor.ts'
import { createClient } from './http-client.ts'
import { folderBytes, readProcess } from './machine.ts'
import { summarize, type Summary } from './samples.ts'
import { timeCalls, timeCallsTo, type CallFigures } from './timed-calls.ts'
import { loadConnections, readTen, search, withVault, writeNext, type BenchVault } from './vault.ts'

/** The measurements of one vault with `size` memories. Times are in milliseconds. */
export interface SpeedFigures {
  size: number
  echo: EchoFloor
  /** Appends of 8 KiB with a sync, measured before and after the writes, because the load of the disk changes. */
  sync: Summary & { perSecond: number }
  load: CallFigures
  write: CallFigures
  write16: CallFigures
  search: CallFigures
  searchAfterWrite: Summary
  search32: CallFigures
  /** Other calls of one client during `search32`, in turn. */
  writeMeanwhile: Summary
  readMeanwhile: Summary
  read: CallFigures
  /** The first search after the load. Part of the index may be in memory, because a job saves snapshots during the load. */
  firstSearchMs: number
  startMs: number
  /** From the start of the process to the first search answer. */
  startAndSearchMs: number
  loadedRssBytes: number
  searchedRssBytes: number
  peakRssBytes: number
  restartedRssBytes: number
  diskBytesPerMemory: number
  textBytesPerMemory: number
  loadAverage: { before: number; after: number }
}

interface Run extends BenchVault {
  /** How many single calls each figure is based on. */
  calls: number
}

const searchingAtOnce = 32
const warmUpCalls = 100

export async function measureSpeed(size: number, { isQuick }: { isQuick: boolean }): Promise<SpeedFigures> {
  const before = loadavg()[0] ?? 0
  const calls = isQuick ? 100 : 500
  return withVault({ embeddings: 'none' }, { size, connections: loadConnections }, async (vault) => {
    const echo = await measureEcho(vault.corpus.memoryAt(0), calls * 4)
    const figures = await measureRun({ ...vault, calls })
    return { size, echo, ...figures, loadAverage: { before, after: loadavg()[0] ?? 0 } }
  })
}

async function measureRun(run: Run): Promise<Omit<SpeedFigures, 'size' | 'echo' | 'loadAverage'>> {
  const load = await writes(run, run.size, loadConnections)
  const loadedRssBytes = readProcess(run.server.pid).rssBytes
  const firstSearch = await timeCalls(1, 1, () => search(run, run.calls))
  await timeCalls(warmUpCalls, 1, (number) => search(run, run.calls + number))
  const searching = await timeCallsTo(run.server.pid, run.calls, 1, (number) => search(run, number))
  const searchedRssBytes = readProcess(run.server.pid).rssBytes
  const read = await timeCallsTo(run.server.pid, run.calls, 1, (number) => readTen(run, number))
  const syncs = [timeSyncs(run.server.dataDir, run.calls)]
  const write = await writes(run, run.calls * 4, 1)
  syncs.push(timeSyncs(run.server.dataDir, run.calls))
  const write16 = await writes(run, run.calls * 16, loadConnections)
  syncs.push(timeSyncs(run.server.dataDir, run.calls))
  const searchAfterWrite = await timeSearchesAfterWrites(run)
  const crowd = await measureCrowd(run)
  const { peakRssBytes } = readProcess(run.server.pid)
  const startMs = await run.server.restart()
  const disk = folderBytes(run.server.dataDir)
  const searchAfterStart = await timeCalls(1, 1, () => search(run, run.calls))
  return {
    sync: summarizeSyncs(syncs),
    load,
    write,
    write16,
    search: searching,
    searchAfterWrite,
    ...crowd,
    read,
    firstSearchMs: firstSearch.times.p50,
    startMs,
    startAndSearchMs: startMs + searchAfterStart.times.p50,
    loadedRssBytes,
    searchedRssBytes,
    peakRssBytes,
    restartedRssBytes: readProcess(run.server.pid).rssBytes,
    diskBytesPerMemory: disk / run.ids.length,
    textBytesPerMemory: run.textBytes / run.ids.length,
  }
}

function summarizeSyncs(parts: readonly Float64Array[]): SpeedFigures['sync'] {
  const samples = parts.flatMap((part) => [...part])
  return { ...summarize(samples), perSecond: (samples.length * 1_000) / samples.reduce((sum, ms) => sum + ms, 0) }
}

const writes = (run: Run, count: number, atOnce: number) =>
  timeCallsTo(run.server.pid, count, atOnce, () => writeNext(run))

/** Each search must see the write before it, so the index applies one change each time. */
async function timeSearchesAfterWrites(run: Run): Promise<Summary> {
  const samples = new Float64Array(run.calls)
  for (let number = 0; number < run.calls; number++) {
    await writeNext(run)
    const start = performance.now()
    await search(run, number)
    samples[number] = performance.now() - start
  }
  return summarize(samples)
}

async function measureCrowd(run: Run): Promise<Pick<SpeedFigures, 'search32' | 'writeMeanwhile' | 'readMeanwhile'>> {
  const { server, calls } = run
  const client = createClient(server.url, server.agentKey, searchingAtOnce)
  const writeTimes: number[] = []
  const readTimes: number[] = []
  const searched = new AbortController()
  const timeInto = async (times: number[], call: () => Promise<void>) => {
    const start = performance.now()
    await call()
    times.push(performance.now() - start)
  }
  const makeOtherCalls = async () => {
    for (let number = 0; !searched.signal.aborted; number++) {
      await timeInto(writeTimes, () => writeNext(run))
      await timeInto(readTimes, () => readTen(run, number))
    }
  }
  try {
    const searches = timeCallsTo(server.pid, calls * 4, searchingAtOnce, (number) => search({ ...run, client }, number))
    const [search32] = await Promise.all([searches.finally(() => searched.abort()), makeOtherCalls()])
    return { search32, writeMeanwhile: summarize(writeTimes), readMeanwhile: summarize(readTimes) }
  } finally {
    client.close()
  }
}
