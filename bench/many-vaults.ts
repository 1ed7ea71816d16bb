import { tmpdir } from 'node:os'
import { buildProgram } from './build-program.ts'
import { megabytes, precise, whole } from './figures.ts'
import { describeMachine, readProcess, watchLoad } from './machine.ts'
import { indexBytes, readMetrics } from './metrics.ts'
import { randomFrom } from './random.ts'
import type { Results } from './results.ts'
import { table } from './table.ts'
import { sampleCalls, timeCallsTo, type CallFigures } from './timed-calls.ts'
import { ask, loadConnections, withVault, type BenchVault } from './vault.ts'

/** Searches of vaults at random, with room for all indexes and with too little. */
interface Shape {
  vaults: number
  /** In each vault. */
  memories: number
}

interface Measured {
  indexMemoryMb: number
  /** The first search of each vault after a start, in random order. */
  first: CallFigures
  search: CallFigures
  search16: CallFigures
  loads: number
  open: number
  indexBytes: number
  rssBytes: number
}

const indexMemoriesMb = [512, 64]
const calls = 2_000
const seed = 20_261_131

export async function runManyVaults(shape: Shape): Promise<Results> {
  const program = await buildProgram()
  const describeLoad = watchLoad()
  const measured = await withVault(
    { embeddings: 'static', program },
    { size: 0, connections: loadConnections },
    async (vault) => {
      process.stderr.write(`${shape.vaults} vaults of ${shape.memories} memories …\n`)
      const vaultIds = await loadVaults(vault, shape)
      const results: Measured[] = []
      for (const indexMemoryMb of indexMemoriesMb) {
        process.stderr.write(`HOLDFAST_INDEX_MEMORY_MB=${indexMemoryMb} …\n`)
        results.push(await measure(vault, { vaultIds, memories: shape.memories }, indexMemoryMb))
      }
      return results
    },
  )
  return {
    name: 'results of many vaults',
    text: [describeMachine(tmpdir()), describeLoad(), ...describe(measured, shape)].join('\n\n'),
    summary: measured.map(({ indexMemoryMb, search: { times }, rssBytes }) => [
      `A search of one of many vaults, ${indexMemoryMb} MB for indexes, p50 (p99), ms`,
      `${times.p50.toFixed(1)} (${times.p99.toFixed(1)}) with ${whole(shape.vaults)} vaults of ${whole(shape.memories)} memories; RSS ${megabytes(rssBytes)} MB`,
    ]),
  }
}

async function loadVaults({ client, corpus }: BenchVault, { vaults, memories }: Shape): Promise<string[]> {
  const vaultIds: string[] = []
  await sampleCalls(vaults, loadConnections, async (number) => {
    const { vaultId } = await client.post<{ vaultId: string }>('/api/agent/create-vault', { name: `Vault ${number}` })
    vaultIds[number] = vaultId
  })
  // One memory of each vault after the other, as if many people worked at the same time.
  await sampleCalls(vaults * memories, loadConnections, (number) => {
    const vault = number % vaults
    const memory = corpus.memoryAt(vault * memories + Math.floor(number / vaults))
    return client.post('/api/agent/write-memory', { ...memory, vaultId: vaultIds[vault] })
  })
  return vaultIds
}

async function measure(
  vault: BenchVault,
  { vaultIds, memories }: { vaultIds: readonly string[]; memories: number },
  indexMemoryMb: number,
): Promise<Measured> {
  const { server, client, corpus } = vault
  await server.restart({ HOLDFAST_INDEX_MEMORY_MB: String(indexMemoryMb) })
  const search = (at: number, number: number) =>
    ask(vault, { query: corpus.questionAt(number, memories, at * memories), vaultId: vaultIds[at] })
  const random = randomFrom(seed)
  const searchAny = (number: number) => search(random.below(vaultIds.length), number)
  const shuffled = vaultIds.map((_, at) => ({ at, key: random.next() })).toSorted((a, b) => a.key - b.key)
  const first = await timeCallsTo(server.pid, vaultIds.length, 1, (number) => search(shuffled[number]?.at ?? 0, number))
  const before = (await readMetrics(client))('holdfast_index_loads_total')
  const searching = await timeCallsTo(server.pid, calls, 1, searchAny)
  const metrics = await readMetrics(client)
  const search16 = await timeCallsTo(server.pid, calls, loadConnections, (number) => searchAny(calls + number))
  return {
    indexMemoryMb,
    first,
    search: searching,
    search16,
    loads: metrics('holdfast_index_loads_total') - before,
    open: metrics('holdfast_index_open'),
    indexBytes: metrics(indexBytes),
    rssBytes: readProcess(server.pid).rssBytes,
  }
}

function describe(measured: readonly Measured[], { vaults, memories }: Shape): string[] {
  const row = (name: string, { times, perSecond, cpuMsPerCall }: CallFigures) => [
    name,
    whole(times.count),
    precise(times.p50),
    precise(times.p95),
    precise(times.p99),
    whole(perSecond),
    precise(cpuMsPerCall),
  ]
  const head = ['', 'n', 'p50 ms', 'p95 ms', 'p99 ms', 'per second', 'server CPU ms']
  return [
    `### ${whole(vaults)} vaults with ${whole(memories)} memories each`,
    ...measured.flatMap((each) => [
      `\`HOLDFAST_INDEX_MEMORY_MB=${each.indexMemoryMb}\`: ${whole(each.open)} indexes in memory, ${megabytes(each.indexBytes)} MB together; ${megabytes(each.rssBytes)} MB of RSS. Of the searches with 1 connection, ${Math.round((100 * each.loads) / calls)} % loaded an index.`,
      table(head, [
        row('first search of each vault', each.first),
        row('a random vault, 1 connection', each.search),
        row('a random vault, 16 connections', each.search16),
      ]),
    ]),
  ]
}
