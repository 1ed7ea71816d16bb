import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine } from './machine.ts'
import { measurePaired, type PairedFigures } from './paired.ts'
import { describePaired, describeSpeed, writeResults } from './report.ts'
import { measureSpeed, type SpeedFigures } from './speed.ts'

/**
 * npm run bench -- [--sizes 10000,100000] [--embeddings static] [--quick] [--write]
 * --quick: uses 2,000 memories and fewer calls, to check that it works. --write: updates the tables in docs/benchmarks.md.
 * --embeddings static: measures what embeddings cost, with two servers in turns, instead of the tables without them.
 */
const { values } = parseArgs({
  options: {
    sizes: { type: 'string' },
    embeddings: { type: 'string' },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const sizes = (values.sizes ?? (values.quick ? '2000' : '10000,100000')).split(',').map(Number)
if (!sizes.every((size) => Number.isSafeInteger(size) && size >= 100))
  throw new RangeError('--sizes takes whole numbers of at least 100, separated by commas')

if (values.embeddings !== undefined && values.embeddings !== 'static')
  throw new RangeError('--embeddings takes "static"')

const isPaired = values.embeddings === 'static'
const results = isPaired ? await runPaired() : await runSpeed()
process.stdout.write(`${results}\n`)
if (values.write)
  writeResults(
    join(dirname(import.meta.dirname), 'docs', 'benchmarks.md'),
    isPaired ? 'results with embeddings' : 'results',
    results,
  )

async function runSpeed(): Promise<string> {
  const runs: SpeedFigures[] = []
  for (const size of sizes) {
    process.stderr.write(`${size} memories …\n`)
    runs.push(await measureSpeed(size, { isQuick: values.quick }))
  }
  return describeSpeed(describeMachine(tmpdir()), runs)
}

async function runPaired(): Promise<string> {
  const runs: PairedFigures[] = []
  for (const size of sizes) {
    process.stderr.write(`${size} memories, twice …\n`)
    runs.push(await measurePaired(size, { isQuick: values.quick }))
  }
  return describePaired(describeMachine(tmpdir()), runs)
}
