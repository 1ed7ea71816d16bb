import { tmpdir } from 'node:os'
import { buildProgram } from './build-program.ts'
import { precise, whole } from './figures.ts'
import { describeMachine, watchLoad } from './machine.ts'
import type { Results } from './results.ts'
import { summarize, type Summary } from './samples.ts'
import { table } from './table.ts'
import { timeCalls } from './timed-calls.ts'
import { loadConnections, loadVault, search, withVault, type BenchVault } from './vault.ts'

/** What an agent waits for when it begins: a session, with a warm vault and with a server that has just started. */
interface ColdFigures {
  size: number
  start: Summary
  coldSearch: Summary
  coldSession: Summary
  warmSearch: Summary
  warmSession: Summary
}

const calls = 300

export async function runCold({ size, starts }: { size: number; starts: number }): Promise<Results> {
  const program = await buildProgram()
  const describeLoad = watchLoad()
  const figures = await withVault(
    { embeddings: 'static', program },
    { size, connections: loadConnections },
    async (vault) => {
      await loadVault(vault)
      return measure(vault, starts)
    },
  )
  return {
    name: 'results of first calls',
    text: [describeMachine(tmpdir()), describeLoad(), ...describe(figures, starts)].join('\n\n'),
    summary: summarizeFigures(figures),
  }
}

function summarizeFigures({
  size,
  warmSession,
  coldSession,
  start,
  coldSearch,
}: ColdFigures): NonNullable<Results['summary']> {
  const at = `at ${whole(size)} memories`
  return [
    [
      'session-start, p50 (p99), ms',
      `${warmSession.p50.toFixed(1)} (${warmSession.p99.toFixed(1)}) ${at}; p50 ${whole(coldSession.p50)} as the first call of a new server`,
    ],
    ['A start, and then a first search, p50, ms', `${whole(start.p50)}, and ${whole(coldSearch.p50)} ${at}`],
  ]
}

async function measure(vault: BenchVault, starts: number): Promise<ColdFigures> {
  const times = { start: [] as number[], coldSearch: [] as number[], coldSession: [] as number[] }
  const timeOnce = async (call: () => Promise<unknown>) => (await timeCalls(1, 1, call)).times.p50
  for (let start = 0; start < starts; start++) {
    process.stderr.write(`Start ${start + 1} of ${starts} …\n`)
    times.start.push(await vault.server.restart())
    times.coldSearch.push(await timeOnce(() => search(vault, start)))
    times.start.push(await vault.server.restart())
    times.coldSession.push(await timeOnce(() => startSession(vault, start)))
  }
  await timeCalls(calls, 1, (number) => search(vault, number))
  const warmSearch = await timeCalls(calls, 1, (number) => search(vault, calls + number))
  await timeCalls(calls, 1, (number) => startSession(vault, number))
  const warmSession = await timeCalls(calls, 1, (number) => startSession(vault, calls + number))
  return {
    size: vault.size,
    start: summarize(times.start),
    coldSearch: summarize(times.coldSearch),
    coldSession: summarize(times.coldSession),
    warmSearch: warmSearch.times,
    warmSession: warmSession.times,
  }
}

/** Begins a session that is about something, as a host's hook does after the first prompt. */
async function startSession({ client, corpus, size }: BenchVault, number: number): Promise<void> {
  const { sessionContext, degraded } = await client.post<{
    sessionContext: { facts: unknown[] }
    degraded: unknown[]
  }>('/api/agent/session-start', { query: corpus.questionAt(number, size), agentId: `agent-${number % 12}` })
  // A session that leaves out its search would be fast for the wrong reason.
  if (sessionContext.facts.length === 0 || degraded.length > 0) throw new Error(`Session ${number} is incomplete`)
}

function describe(figures: ColdFigures, starts: number): string[] {
  const row = (name: string, { count, p50, p95, p99 }: Summary) => [
    name,
    String(count),
    precise(p50),
    precise(p95),
    // With fewer, it is the slowest one.
    count < 100 ? '' : precise(p99),
  ]
  return [
    `### ${whole(figures.size)} memories in the vault, ${starts * 2} starts`,
    table(
      ['', 'n', 'p50 ms', 'p95 ms', 'p99 ms'],
      [
        row('session-start, warm vault', figures.warmSession),
        row('search-memories, warm vault', figures.warmSearch),
        row('start to first answered call', figures.start),
        row('… then a first search', figures.coldSearch),
        row('… or a first session-start', figures.coldSession),
      ],
    ),
  ]
}
