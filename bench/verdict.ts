import { compareTurns, type Ratio } from './ratio.ts'
import { table } from './table.ts'
import type { Turn } from './turns.ts'

/** The turns of one call: of this checkout and of the other commit, at the same places. */
export interface Compared {
  name: string
  /** In a turn. */
  calls: number
  ours: Turn[]
  theirs: Turn[]
  /** With fewer, nothing is said. */
  leastTurns: number
}

export interface Verdict extends Compared {
  /** Of our processor time, and of our time, to theirs. Undefined if there were too few turns. */
  ratios: { cpu: Ratio; time: Ratio } | undefined
  proven: 'slower' | 'faster' | ''
}

const confidence = 0.99
const limit = 1.1

/** Proven are only differences whose whole interval is beyond the limit, so that a busy machine makes intervals wide and not verdicts wrong. */
export function judge(compared: Compared): Verdict {
  const { ours, theirs, leastTurns } = compared
  if (ours.length < leastTurns) return { ...compared, ratios: undefined, proven: '' }
  const compare = (valueOf: (turn: Turn) => number) => {
    const pairs = ours.map((turn, at) => [valueOf(turn), valueOf(theirs[at] as Turn)] as const)
    return compareTurns(pairs, confidence)
  }
  const ratios = { cpu: compare(({ cpuMs }) => cpuMs), time: compare(({ totalMs }) => totalMs) }
  const both = [ratios.cpu, ratios.time]
  const isSlower = both.some(({ low }) => low > limit)
  const isFaster = !isSlower && both.some(({ high }) => high < 1 / limit)
  return { ...compared, ratios, proven: isSlower ? 'slower' : isFaster ? 'faster' : '' }
}

export function describeVerdicts(verdicts: readonly Verdict[], commit: string): string {
  const sum = (turns: readonly Turn[], valueOf: (turn: Turn) => number) =>
    turns.reduce((total, turn) => total + valueOf(turn), 0)
  const row = ({ name, calls, ours, theirs, ratios, proven }: Verdict) => {
    const cpuMs = (turns: readonly Turn[]) => (sum(turns, (turn) => turn.cpuMs) / turns.length / calls).toFixed(2)
    const perSecond = (turns: readonly Turn[]) =>
      ((turns.length * calls * 1_000) / sum(turns, ({ totalMs }) => totalMs)).toPrecision(3)
    const show = (ratio: Ratio | undefined) =>
      ratio === undefined
        ? 'too few turns'
        : `${ratio.estimate.toFixed(2)} (${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)})`
    const cpu = [cpuMs(ours), cpuMs(theirs), show(ratios?.cpu)]
    return [name, String(ours.length), ...cpu, perSecond(ours), perSecond(theirs), show(ratios?.time), proven]
  }
  const head = ['', 'turns', 'CPU ms', commit, 'ratio', 'per second', commit, 'ratio of times', 'proven']
  return [
    table(head, verdicts.map(row)),
    `CPU ms: the server's processor time per call. In brackets: the interval of the ratio, with ${confidence * 100} % confidence (Wilcoxon's signed-rank test, over the turns). Slower: the whole interval is above ${limit}.`,
  ].join('\n\n')
}
