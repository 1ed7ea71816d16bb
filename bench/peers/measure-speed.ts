import { folderBytes } from '../machine.ts'
import { summarize } from '../samples.ts'
import { sampleCalls } from '../timed-calls.ts'
import { findText } from './find-text.ts'
import type { Connection, Peer } from './peer.ts'
import { sumRss } from './processes.ts'
import { countSynced, hasStrace, watchSyncs, type Span } from './syncs.ts'
import { questionAt, textAt, writeAll } from './work.ts'

export interface SpeedFigures {
  /** From the start of the server on an empty store to its first acknowledged write. */
  firstWriteMs: number
  writesPerSecond: number
  refused: number
  searchP50: number
  rssBytes: number
  bytesPerMemory: number
  /** Of `watchedWrites`, those that were acknowledged only after a sync; undefined if nothing could watch. */
  synced: number | undefined
  /** Files with readable texts. */
  readable: string[]
}

const size = 1_000
const searches = 200
export const watchedWrites = 10

export async function measureSpeed(peer: Peer, installed: string, store: string): Promise<SpeedFigures> {
  const { stored, ...figures } = await callServer(peer, installed, store)
  const texts = [0, 1, 2].map((number) => textAt(number).slice(0, 60))
  return { ...figures, bytesPerMemory: folderBytes(store) / stored, readable: findText(store, texts) }
}

async function callServer(peer: Peer, installed: string, store: string) {
  const start = performance.now()
  const server = await peer.open(installed, store)
  try {
    const connection = await server.connect()
    await connection.write(textAt(0))
    const firstWriteMs = performance.now() - start
    const texts = Array.from({ length: size - 1 }, (_, number) => textAt(number + 1))
    const writing = performance.now()
    const { written, refusals } = await writeAll(connection, texts)
    const writesPerSecond = (written.length * 1_000) / (performance.now() - writing)
    const { samples } = await sampleCalls(searches, 1, (number) => connection.search(questionAt(number, size), 10))
    const rssBytes = sumRss(server.pids())
    const synced = hasStrace() ? await watchWrites(connection, server.pids(), store) : undefined
    return {
      firstWriteMs,
      writesPerSecond,
      refused: refusals.length,
      searchP50: summarize(samples).p50,
      rssBytes,
      synced,
      stored: written.length + 1 + (synced === undefined ? 0 : watchedWrites),
    }
  } finally {
    await server.stop()
  }
}

async function watchWrites(connection: Connection, pids: readonly number[], store: string): Promise<number> {
  const stopWatching = await watchSyncs(pids, store, `${store}.trace`)
  const now = () => performance.timeOrigin + performance.now()
  const writes: Span[] = []
  for (let number = 0; number < watchedWrites; number++) {
    const from = now()
    await connection.write(textAt(size + number))
    writes.push({ from, to: now() })
  }
  return countSynced(writes, await stopWatching())
}
