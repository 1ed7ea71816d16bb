import { cpuMsBetween, readThreads } from './machine.ts'
import type { CallSamples } from './timed-calls.ts'

/** The calls of one turn, and the processor time that the server used meanwhile. */
export interface Turn extends CallSamples {
  cpuMs: number
}

interface Side {
  readonly server: { readonly pid: number }
}

/**
 * Calls two servers in turns, so other load on the machine affects both equally. Alternates the order (A B B A), so neither
 * always goes second. An even `begins` lets the first side begin, an odd one the second: with few turns at a time, count it up, because what
 * a server does after its answers falls into the next turn.
 */
export async function inTurns<S extends Side>(
  [first, second]: readonly [S, S],
  turns: number,
  measure: (side: S, turn: number) => Promise<CallSamples>,
  begins = 0,
): Promise<[Turn[], Turn[]]> {
  const parts: [Turn[], Turn[]] = [[], []]
  for (let turn = 0; turn < turns; turn++) {
    for (const at of (turn + begins) % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const side = at === 0 ? first : second
      const before = readThreads(side.server.pid)
      const samples = await measure(side, turn)
      parts[at].push({ ...samples, cpuMs: cpuMsBetween(before, readThreads(side.server.pid)) })
    }
  }
  return parts
}
