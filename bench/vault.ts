import { createCorpus, type Corpus } from './corpus.ts'
import { createClient, type Client } from './http-client.ts'
import { startBenchServer, type BenchServer, type ServerOptions } from './server.ts'
import { sampleCalls } from './timed-calls.ts'

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
  readonly searches: { count: number; empty: number }
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
  return { server, client, corpus: createCorpus(seed), size, ids: [], textBytes: 0, searches: { count: 0, empty: 0 } }
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

/** Writes the memories that questions are about, as far as they aren't written yet. */
export async function loadVault(vault: BenchVault): Promise<void> {
  process.stderr.write(`${vault.size} memories …\n`)
  await sampleCalls(Math.max(0, vault.size - vault.ids.length), loadConnections, () => writeNext(vault))
}

export async function writeNext(vault: BenchVault): Promise<void> {
  const number = vault.ids.push('') - 1
  const memory = vault.corpus.memoryAt(number)
  vault.textBytes += Buffer.byteLength(memory.content)
  const { memoryId } = await vault.client.post<{ memoryId: string }>('/api/agent/write-memory', memory)
  vault.ids[number] = memoryId
}

type Asking = Pick<BenchVault, 'client' | 'corpus' | 'size' | 'searches'>

export const search = (vault: Asking, number: number): Promise<void> =>
  ask(vault, { query: vault.corpus.questionAt(number, vault.size) })

export async function ask(
  { client, searches }: Asking,
  question: { query: string; vaultId?: string | undefined },
): Promise<void> {
  const { memories } = await client.post<{ memories: unknown[] }>('/api/agent/search-memories', question)
  searches.count++
  if (memories.length > 0) return
  // A search that finds nothing is fast for the wrong reason. A few questions have only words that search ignores.
  searches.empty++
  if (searches.empty > 1 + searches.count / 100) throw new Error(`"${question.query}" and others found nothing`)
}

export async function readTen({ client, ids }: BenchVault, number: number): Promise<void> {
  // A stride that shares no factor with round sizes spreads the ids over the whole vault.
  const memoryIds = Array.from({ length: 10 }, (_, i) => ids[((number * 10 + i) * 7_919) % ids.length])
  const { memories } = await client.post<{ memories: unknown[] }>('/api/agent/read-memories', { memoryIds })
  if (new Set(memoryIds).size !== memories.length) throw new Error('Some memories were not read')
}
