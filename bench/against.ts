import { tmpdir } from 'node:os'
import { checkOut, type Checkout } from './checkout.ts'
import { seconds } from './figures.ts'
import { describeMachine, watchLoad } from './machine.ts'
import { sampleCalls, type CallSamples } from './timed-calls.ts'
import { inTurns, type Turn } from './turns.ts'
import { loadConnections, readTen, search, withVault, writeNext, type BenchVault } from './vault.ts'
import { describeVerdicts, judge, type Compared } from './verdict.ts'

/**
 * Compares the code of this checkout with another commit: two servers with the same memories and the built-in model are called in turns. What
 * else runs on the machine affects both, so a ratio of two turns in a row says more than the times themselves.
 */
export interface Comparison {
  text: string
  /** The calls that are proven to be slower. */
  slower: string[]
}

/** This checkout, and the other commit. */
type Sides = readonly [BenchVault, BenchVault]

/** Enough memories that a search does real work, and few enough to be loaded in seconds. */
const size = 5_000
/** Each with new processes: a server behaves a little differently after each start, even without a change. */
const rounds = 10
/**
 * No round or block begins after this time, except the first round and the first block of each, without which a figure would be missing. So it all
 * takes less than four minutes on a machine with time: removing the checkout takes long, too.
 */
const longestMs = 170_000
/** Of a round; each is two turns. Many short turns, because other load changes within a second. */
const blocks = 3
const warmUpCalls = 100
/** With fewer, the processes of a side would be too few: other load on the machine may slow down one of them. */
const leastRounds = 4
/** The fewest that have an interval. */
const leastStarts = 8

interface Call {
  name: string
  /** In a turn. */
  calls: number
  connections: number
  call(side: BenchVault, number: number): Promise<void>
}

const calls: readonly Call[] = [
  { name: 'write-memory, 1 connection', calls: 50, connections: 1, call: writeNext },
  { name: 'write-memory, 16 connections', calls: 150, connections: loadConnections, call: writeNext },
  { name: 'search-memories', calls: 30, connections: 1, call: search },
  { name: 'read-memories, 10 ids', calls: 50, connections: 1, call: readTen },
]

export async function compareWith(commit: string): Promise<Comparison> {
  const began = performance.now()
  const describeLoad = watchLoad()
  process.stderr.write(`Checking out ${commit} …\n`)
  const other = checkOut(commit)
  const verdicts = (await measureBoth(other, began)).map(judge)
  other.remove()
  const text = [
    `${describeMachine(tmpdir())} against ${other.commit}`,
    describeLoad(),
    describeVerdicts(verdicts, other.commit),
    `Took ${seconds(performance.now() - began)}.`,
  ].join('\n\n')
  return { text, slower: verdicts.filter(({ proven }) => proven === 'slower').map(({ name }) => name) }
}

async function measureBoth({ program }: Checkout, began: number): Promise<Compared[]> {
  const sizes = { size, connections: loadConnections }
  return withVault({ embeddings: 'static' }, sizes, (ours) =>
    withVault({ embeddings: 'static', program }, sizes, (theirs) => measure([ours, theirs], began)),
  )
}

async function measure(sides: Sides, began: number): Promise<Compared[]> {
  process.stderr.write(`${size} memories, twice …\n`)
  await inTurns(sides, 10, (side) => sampleCalls(size / 10, loadConnections, () => writeNext(side)))
  const started: Compared = {
    name: 'start to first answered call',
    calls: 1,
    ours: [],
    theirs: [],
    leastTurns: leastStarts,
  }
  const called = calls.map((call) => ({ ...call, ours: [], theirs: [], leastTurns: leastRounds * blocks * 2 }))
  const hasTime = () => performance.now() - began < longestMs
  for (let round = 0; round < rounds && (round === 0 || hasTime()); round++) {
    process.stderr.write(`Round ${round + 1} of ${rounds} …\n`)
    keep(started, await inTurns(sides, 1, restart, round))
    await inTurns(sides, 2, warmUp, round)
    for (let block = 0; block < blocks && (block === 0 || hasTime()); block++)
      for (const compared of called) await measureBlock(sides, compared, round + block)
  }
  return [...called, started]
}

async function measureBlock(sides: Sides, compared: Compared & Call, begins: number): Promise<void> {
  const { calls: count, connections, call, ours } = compared
  const first = ours.length * count
  const makeCalls = (side: BenchVault, turn: number) =>
    sampleCalls(count, connections, (number) => call(side, first + turn * count + number))
  keep(compared, await inTurns(sides, 2, makeCalls, begins))
}

function keep(compared: Compared, [ours, theirs]: readonly [Turn[], Turn[]]): void {
  compared.ours.push(...ours)
  compared.theirs.push(...theirs)
}

async function restart({ server }: BenchVault): Promise<CallSamples> {
  const ms = await server.restart()
  return { samples: Float64Array.of(ms), totalMs: ms }
}

/** A process that has just started runs most code for the first time, which would hide what a call costs afterwards. */
async function warmUp(side: BenchVault, turn: number): Promise<CallSamples> {
  const firstQuestion = 1_000_000 + turn * warmUpCalls
  await sampleCalls(warmUpCalls, loadConnections, () => writeNext(side))
  await sampleCalls(warmUpCalls, 1, (number) => readTen(side, number))
  return sampleCalls(warmUpCalls, 1, (number) => search(side, firstQuestion + number))
}
