import { matchesGlob } from 'node:path'
import { promises, type Promised } from '../../packages/server/test/promises/promises.ts'
import type { Proof } from '../../packages/server/test/promises/proof.ts'
import { isLong, keyOf, readRecorded, type Recorded, type Run } from '../../packages/server/test/promises/record.ts'
import { background, commands, crashes } from '../test-groups.ts'
import { printTable } from './markdown-table.ts'

/** Prints docs/promises.md: each promise, the tests that prove it, and what they measured last. */
export function printPromisesPage(): string {
  const recorded = readRecorded()
  const proven = promises.filter(({ missing }) => missing === undefined)
  const rows = promises.map(({ number, promise, missing, proofs }) => [
    `[${number}](#${number})`,
    promise,
    stateOf(missing, proofs, recorded),
  ])
  return `<!-- Written by \`npm run generate\`; do not edit. -->

# Promises

What Holdfast promises about security and reliability, the tests that prove it, and the figures of their last recorded run. A promise is tested in full if its
tests show the whole target; ${proven.length} of ${promises.length} are. For the others, this page says what is missing.

\`npm test\` runs the tests marked with "always", \`npm run test:long\` all of them. \`TEST_RECORD_FIGURES=1\` stores what a run measured, and
\`TEST_LONG_PERCENT=1\` runs a hundredth of each long test: the figures show how much ran.

${printTable(['Number', 'Promise', 'State'], rows)}

${promises.map((promised) => printPromise(promised, recorded)).join('\n\n')}

## Machines

${printMachines(recorded)}
`
}

function printPromise({ number, promise, target, proofs, missing }: Promised, recorded: Recordings): string {
  const machines = machinesIn(recorded)
  const rows = proofs.map((proof) => [
    `${proof.test}<br>\`${proof.file}\``,
    whenItRuns(proof),
    printFigures(recorded[keyOf(proof)], machines),
  ])
  const parts = [
    `## ${number}`,
    promise,
    `Target: ${target}.`,
    ...(missing === undefined ? [] : [`Missing: ${missing}.`]),
    ...(rows.length === 0 ? [] : [printTable(['Test', 'Runs', 'Last figures'], rows)]),
  ]
  return parts.join('\n\n')
}

function stateOf(missing: string | undefined, proofs: readonly Proof[], recorded: Recordings): string {
  if (missing !== undefined) return 'not yet in full'
  return proofs.every((proof) => isRecordedWhole(recorded[keyOf(proof)])) ? 'tested' : 'tested; no full run recorded'
}

const isRecordedWhole = (known: Recorded | undefined) =>
  known !== undefined && Object.values(known).every((run) => run !== null && run.percent === undefined)

type Recordings = Record<string, Recorded>

const leftOut = [...background, ...commands, ...crashes]

const whenItRuns = (proof: Proof) =>
  isLong(proof) || leftOut.some((files) => matchesGlob(proof.file, files)) ? '`test:long`' : 'always'

const runsIn = (recorded: readonly Recorded[]): Run[] =>
  recorded.flatMap((known) => Object.values(known).filter((run) => run !== null))

/** In the order of their first use, so the page shows a short number instead of each description. */
const machinesIn = (recorded: Recordings): string[] => [
  ...new Set(runsIn(Object.values(recorded)).map(({ machine }) => machine)),
]

function printFigures(known: Recorded | undefined, machines: string[]): string {
  const runs = runsIn(known === undefined ? [] : [known])
  if (known === undefined || runs.length === 0) return 'not recorded yet'
  const when = (run: Run) => [`machine ${machines.indexOf(run.machine) + 1}`, run.at, `commit ${run.commit}`].join(', ')
  // Usually, all were recorded by one run.
  const shared = new Set(runs.map(when)).size === 1
  const lines = Object.entries(known).map(([place, run]) => {
    const parts = run === null ? ['not recorded yet'] : [...printRun(run), ...(shared ? [] : [when(run)])]
    return `${place === 'all' ? '' : `${place}: `}${parts.join(', ')}`
  })
  return [...lines, ...(shared ? runs.slice(0, 1).map(when) : [])].join('<br>')
}

const printRun = ({ measured = {}, passed, percent }: Run): string[] => [
  ...Object.entries(measured).map(([what, figure]) => `${what}: ${printFigure(figure)}`),
  `${passed} passed`,
  ...(percent === undefined ? [] : [`**${percent} % of the full size**`]),
]

const printFigure = (figure: number | string) => (typeof figure === 'number' ? figure.toLocaleString('en-US') : figure)

const printMachines = (recorded: Recordings) =>
  machinesIn(recorded)
    .map((machine, at) => `${at + 1}. ${machine}`)
    .join('\n') || 'No figures are recorded yet.'
