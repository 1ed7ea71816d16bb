import type { Peer } from './peer.ts'
import { countLost, textAt, writeAll, type Written } from './work.ts'

export interface Losses {
  /** Writes that the server acknowledged. */
  acknowledged: number
  /** Those of them that are gone. */
  lost: number
}

const writesBeforeKill = 30
const writers = 16
const writesAtOnce = 400

/** Kills all processes right after the last acknowledgement, starts again, and looks for each text. */
export async function measureKill(peer: Peer, installed: string, store: string): Promise<Losses> {
  const server = await peer.open(installed, store)
  let written: Written[] = []
  try {
    const texts = Array.from({ length: writesBeforeKill }, (_, number) => textAt(number))
    ;({ written } = await writeAll(await server.connect(), texts))
  } finally {
    await server.kill()
  }
  return lookForEach(peer, installed, store, written)
}

/** Sixteen connections write at once. */
export async function measureWriters(peer: Peer, installed: string, store: string): Promise<Losses> {
  const server = await peer.open(installed, store)
  const written: Written[] = []
  try {
    const connections = await Promise.all(Array.from({ length: writers }, () => server.connect()))
    const parts = connections.map((connection, writer) => {
      const texts = Array.from({ length: writesAtOnce / writers }, (_, i) => textAt(i * writers + writer))
      return writeAll(connection, texts)
    })
    for (const part of await Promise.all(parts)) written.push(...part.written)
  } finally {
    await server.stop()
  }
  return lookForEach(peer, installed, store, written)
}

async function lookForEach(peer: Peer, installed: string, store: string, written: readonly Written[]): Promise<Losses> {
  const server = await peer.open(installed, store)
  try {
    return { acknowledged: written.length, lost: await countLost(await server.connect(), written) }
  } finally {
    await server.stop()
  }
}
