import { parseArgs } from 'node:util'
import { describeFigures, figuresOf, writeFigures } from './figures.ts'
import { measureSuite, readSuite } from './measure-suite.ts'

/**
 * node packages/server/test/search-quality/show-figures.ts [--write]
 * Measures the suite and prints its figures. --write: stores them as the reference for later changes, and puts them into
 * docs/benchmarks.md.
 */
const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } })
const figures = figuresOf(await measureSuite(readSuite()))
process.stdout.write(`${describeFigures(figures)}\n`)
if (values.write) writeFigures(figures)
