import { createCorpus, type Corpus } from './corpus.ts'
import { createClient, type Client } from './http-client.ts'
import { startBenchServer, type BenchServer, type ServerOptions } from './server.ts'

/** A vault of made-up memories on a server of its own, and a client that calls it like an agent. */
export interface BenchVault {
  readonly server: BenchServer
  readonly client: Client
  readonly corpus: Corpus
  /** Questions are about the first `size` memories, so these must be written before the first search. */
  size: number
  /** The memories that are written, in the order of the corpus. */
  readonly ids: string[]
  textBytes: number
}

const seed = 20_261_121
/** What the load of a vault uses. */
export const loadConnections = 16

export async function openVault(
  options: ServerOptions,
  { size, connections }: { size: number; connections: number },
): Promise<BenchVault> {
  const server = await startBenchServer(options)
  const client = createClient(server.url, server.agentKey, connections)
  return { server, client, corpus: createCorpus(seed), size, ids: [], textBytes: 0 }
}

export async function closeVault({ client, server }: BenchVault): Promise<void> {
  client.close()
  await server.stop()
}

/** Opens a vault for `work` and closes it afterwards, also after a failure. */
export async function withVault<T>(
  options: ServerOptions,
  sizes: { size: number; connections: number },
  work: (vault: BenchVault) => Promise<T>,
): Promise<T> {
  const vault = await openVault(options, sizes)
  try {
    return await work(vault)
  } finally {
    await closeVault(vault)
  }
}

export async function writeNext(vault: BenchVault): Promise<void> {
  const number = vault.ids.push('') - 1
  const memory = vault.corpus.memoryAt(number)
  vault.textBytes += Buffer.byteLength(memory.content)
  const { memoryId } = await vault.client.post<{ memoryId: string }>('/api/agent/write-memory', memory)
  vault.ids[number] = memoryId
}

export async function search(
  { client, corpus, size }: Pick<BenchVault, 'client' | 'corpus' | 'size'>,
  number: number,
): Promise<void> {
  const { memories } = await client.post<{ memories: unknown[] }>('/api/agent/search-memories', {
    query: corpus.questionAt(number, size),
  })
  // A search that finds nothing would be fast for the wrong reason.
  if (memories.length === 0) throw new Error(`Question ${number} found nothing`)
}

export async function readTen({ client, ids }: BenchVault, number: number): Promise<void> {
  // A stride that shares no factor with round sizes spreads the ids over the whole vault.
  const memoryIds = Array.from({ length: 10 }, (_, i) => ids[((number * 10 + i) * 7_919) % ids.length])
  const { memories } = await client.post<{ memories: unknown[] }>('/api/agent/read-memories', { memoryIds })
  if (new Set(memoryIds).size !== memories.length) throw new Error('Some memories were not read')
}
