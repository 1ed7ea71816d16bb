import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describeCommit } from './machine.ts'
import { table } from './table.ts'

/** What a benchmark has measured, as it appears in the documentation. */
export interface Results {
  /** The file in docs that has the marks. Default: benchmarks.md. */
  page?: string
  /** The name of the marks around `text`. */
  name: string
  text: string
  /** Rows of the table at the start. `what` doesn't depend on options, because rows with another one stay in the table. */
  summary?: readonly (readonly [what: string, figure: string])[]
  /** By the names of their files in docs/images/plots. */
  plots?: Readonly<Record<string, string>>
}

export const docs = join(dirname(import.meta.dirname), 'docs')

/** Prints the results, and with `isKept` also updates the documentation and its plots. */
export function report(results: Results, isKept: boolean): void {
  process.stdout.write(`${results.text}\n`)
  if (isKept) keepResults(docs, results)
}

export function keepResults(
  folder: string,
  { page = 'benchmarks.md', name, text, summary = [], plots = {} }: Results,
): void {
  writeBetweenMarks(join(folder, page), name, text)
  if (summary.length > 0) writeSummary(join(folder, page), summary)
  const images = join(folder, 'images', 'plots')
  mkdirSync(images, { recursive: true })
  for (const [file, image] of Object.entries(plots)) writeFileSync(join(images, file), image)
}

/** Replaces the text between the marks of that name in a document. */
function writeBetweenMarks(path: string, name: string, text: string): void {
  const { before, after } = readMarks(path, name)
  writeFileSync(path, `${before}\n\n${text}\n\n${after}`)
}

const summaryMarks = 'in ten seconds'

/** Each benchmark replaces its own rows, and appends those that are new. */
function writeSummary(path: string, summary: NonNullable<Results['summary']>): void {
  const lines = readMarks(path, summaryMarks).between.split('\n')
  const cells = lines.filter((line) => line.startsWith('| ')).map((line) => line.slice(2, -2).split(' | '))
  const rows = new Map(cells.slice(2).map((row) => [(row[0] ?? '').trim(), row.map((cell) => cell.trim())]))
  const commit = describeCommit()
  for (const [what, figure] of summary) rows.set(what, [what, figure, commit])
  writeBetweenMarks(path, summaryMarks, table(['', 'figure', 'commit'], [...rows.values()], 3))
}

function readMarks(path: string, name: string): { before: string; between: string; after: string } {
  const [beginMark, endMark] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const text = readFileSync(path, 'utf8')
  const begin = text.indexOf(beginMark) + beginMark.length
  const end = text.indexOf(endMark)
  if (begin < beginMark.length || end < begin) throw new Error(`${path} has no marks for the ${name}`)
  return { before: text.slice(0, begin), between: text.slice(begin, end), after: text.slice(end) }
}
