import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine } from './machine.ts'
import { describeSpeed, writeResults } from './report.ts'
import { measureSpeed, type SpeedFigures } from './speed.ts'

/**
 * npm run bench -- [--sizes 10000,100000] [--quick] [--write]
 * --quick: 2,000 memories and fewer calls, to see that it works. --write: the tables go into docs/benchmarks.md.
 */
const { values } = parseArgs({
  options: {
    sizes: { type: 'string' },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const sizes = (values.sizes ?? (values.quick ? '2000' : '10000,100000')).split(',').map(Number)
if (!sizes.every((size) => Number.isSafeInteger(size) && size >= 100))
  throw new RangeError('--sizes takes whole numbers from 100 up, with commas between them')

const runs: SpeedFigures[] = []
for (const size of sizes) {
  process.stderr.write(`${size} memories …\n`)
  runs.push(await measureSpeed(size, { isQuick: values.quick }))
}
const results = describeSpeed(describeMachine(tmpdir()), runs)
process.stdout.write(`${results}\n`)
if (values.write) writeResults(join(dirname(import.meta.dirname), 'docs', 'benchmarks.md'), results)
