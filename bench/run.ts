import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { compareWith } from './against.ts'
import { runCold } from './cold.ts'
import { runGrowth } from './growth.ts'
import { describeMachine } from './machine.ts'
import { runManyVaults } from './many-vaults.ts'
import { runMixed } from './mixed.ts'
import { measurePaired, type PairedFigures } from './paired.ts'
import { readNumber } from './read-number.ts'
import { describePaired, describeSpeed } from './report.ts'
import { report, type Results } from './results.ts'
import { measureSpeed, type SpeedFigures } from './speed.ts'

/**
 * npm run bench -- [--sizes 10000,100000] [--embeddings static] [--quick] [--write]
 * npm run bench -- --scenario mixed [--size 100000] [--seconds 60] [--write]
 * npm run bench -- --scenario growth [--sizes 1000,10000,100000] [--write]
 * npm run bench -- --scenario cold [--size 100000] [--starts 5] [--write]
 * npm run bench -- --scenario many-vaults [--vaults 1000] [--memories 200] [--write]
 * npm run bench -- --against <commit>
 *
 * --quick: uses 2,000 memories and fewer calls, to check that it works. --write: updates docs/benchmarks.md and its plots.
 * --embeddings static: measures what embeddings cost, with two servers in turns, instead of the tables without them.
 * --against: compares this checkout with another commit. Exits with 1 if a call is proven to be slower, with 3 if it couldn't measure.
 */
const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    scenario: { type: 'string', default: 'speed' },
    sizes: { type: 'string' },
    size: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '60' },
    starts: { type: 'string', default: '5' },
    vaults: { type: 'string', default: '1000' },
    memories: { type: 'string', default: '200' },
    embeddings: { type: 'string', default: 'none' },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})

const scenarios: Record<string, () => Promise<Results>> = {
  speed: runSpeed,
  mixed: () => runMixed({ size: number('size', 1_000_000), seconds: number('seconds', 86_400) }),
  growth: () => runGrowth(readSizes('1000,10000,100000')),
  cold: () => runCold({ size: number('size', 1_000_000), starts: number('starts', 100) }),
  'many-vaults': () => runManyVaults({ vaults: number('vaults', 10_000), memories: number('memories', 100_000) }),
}

process.exitCode = values.against === undefined ? await runScenario() : await runAgainst(values.against)

async function runScenario(): Promise<number> {
  const run = scenarios[values.scenario]
  if (run === undefined) throw new RangeError(`--scenario takes ${Object.keys(scenarios).join(', ')}`)
  report(await run(), values.write)
  return 0
}

async function runAgainst(commit: string): Promise<number> {
  try {
    const { text, slower } = await compareWith(commit)
    process.stdout.write(`${text}\n`)
    return slower.length === 0 ? 0 : 1
  } catch (error) {
    console.error(error)
    return 3
  }
}

function number(name: 'size' | 'seconds' | 'starts' | 'vaults' | 'memories', most: number): number {
  return readNumber(name, values[name], { least: 1, most })
}

function readSizes(usual: string): number[] {
  const sizes = (values.sizes ?? usual).split(',').map(Number)
  if (sizes.every((size) => Number.isSafeInteger(size) && size >= 100)) return sizes
  throw new RangeError('--sizes takes whole numbers of at least 100, separated by commas')
}

async function runSpeed(): Promise<Results> {
  const sizes = readSizes(values.quick ? '2000' : '10000,100000')
  if (values.embeddings === 'static') return runPaired(sizes)
  if (values.embeddings !== 'none') throw new RangeError('--embeddings takes "static"')
  const runs: SpeedFigures[] = []
  for (const size of sizes) {
    process.stderr.write(`${size} memories …\n`)
    runs.push(await measureSpeed(size, { isQuick: values.quick }))
  }
  return { name: 'results', text: describeSpeed(describeMachine(tmpdir()), runs) }
}

async function runPaired(sizes: readonly number[]): Promise<Results> {
  const runs: PairedFigures[] = []
  for (const size of sizes) {
    process.stderr.write(`${size} memories, twice …\n`)
    runs.push(await measurePaired(size, { isQuick: values.quick }))
  }
  return { name: 'results with embeddings', text: describePaired(describeMachine(tmpdir()), runs) }
}
