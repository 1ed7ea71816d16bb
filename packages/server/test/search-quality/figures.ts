import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { table } from '../../../../bench/table.ts'
import type { Method, SuiteScores } from './measure-suite.ts'
import type { KindRow } from './score.ts'

/** The suite's committed figures, in percent to one decimal place. */
export interface Figures {
  /** By kind of question; `all` is overall. */
  kinds: Record<Method, Record<string, KindFigures>>
  /** How searches with default settings handle questions with and without an answer. */
  habits: Record<'answered' | 'abstained', Habits>
}

/** Means over questions: results out of ten requested, percentage of relevant ones, highest similarity. */
type Habits = Record<'results' | 'precision' | 'similarity', number>

interface KindFigures {
  questions: number
  recall10: number
  hit10: number
  ndcg10: number
}

const methods = ['hybrid', 'words', 'semantic', 'bm25'] as const satisfies readonly Method[]

const figuresPath = join(import.meta.dirname, 'figures.json')
export const docsPath = join(import.meta.dirname, '../../../../docs/benchmarks.md')

export const readFigures = (): Figures => JSON.parse(readFileSync(figuresPath, 'utf8')) as Figures

export function figuresOf(scores: SuiteScores): Figures {
  const ofMethod = (method: Method) => {
    const { overall, kinds } = scores[method]
    return [method, Object.fromEntries([overall, ...kinds].map((row) => [row.kind, figuresOfKind(row)]))]
  }
  const habits = ({ results, precision, similarity }: Habits): Habits => ({
    results: round(results, 1),
    precision: round(100 * precision, 1),
    similarity: round(similarity, 2),
  })
  return {
    kinds: Object.fromEntries(methods.map(ofMethod)) as Figures['kinds'],
    habits: { answered: habits(scores.hybrid.answered), abstained: habits(scores.hybrid.abstained) },
  }
}

const figuresOfKind = ({ count, metrics }: KindRow): KindFigures => ({
  questions: count,
  recall10: round(100 * metrics['recall@10'], 1),
  hit10: round(100 * metrics['hit@10'], 1),
  ndcg10: round(100 * metrics['ndcg@10'], 1),
})

const round = (value: number, digits: number): number => Number(value.toFixed(digits))

/** How much a figure may change without a report. */
const tolerances = { recall10: 1, hit10: 1, ndcg10: 1 } as const
const habitTolerances = { results: 0.3, precision: 1, similarity: 0.02 } as const

/** Larger changes, as lines for people, in both directions: an improvement is only protected once it is written. */
export function changesBetween(recorded: Figures, measured: Figures): string[] {
  const ofMethods = methods.flatMap((method) => {
    const [before, after] = [recorded.kinds[method], measured.kinds[method]]
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((kind) =>
      moved(`${method}, ${kind}`, before[kind] ?? {}, after[kind] ?? {}, tolerances),
    )
  })
  const ofHabits = (['answered', 'abstained'] as const).flatMap((name) =>
    moved(name, recorded.habits[name], measured.habits[name], habitTolerances),
  )
  return [...ofMethods, ...ofHabits]
}

function moved<Name extends string>(
  what: string,
  before: Partial<Record<NoInfer<Name>, number>>,
  after: Partial<Record<NoInfer<Name>, number>>,
  allowed: Readonly<Record<Name, number>>,
): string[] {
  return (Object.keys(allowed) as Name[]).flatMap((name) => {
    const [was = NaN, is = NaN] = [before[name], after[name]]
    // Tolerance for rounding of tenths and hundredths.
    return Math.abs(is - was) <= allowed[name] + 1e-9 ? [] : [`${what}: ${name} was ${was}, is ${is}`]
  })
}

/**
 * Cases where all legs together are worse than one of them alone, by more than a point, such as "date: recall10 of words". The question
 * doesn't show which list is right, so gains elsewhere must be worth it.
 */
export function lossesOf({ kinds: { hybrid, ...legs } }: Figures): string[] {
  return Object.entries(hybrid).flatMap(([kind, figures]) =>
    (['words', 'semantic'] as const).flatMap((leg) =>
      (['recall10', 'ndcg10'] as const)
        .filter((metric) => figures[metric] + tolerances[metric] + 1e-9 < (legs[leg][kind]?.[metric] ?? 0))
        .map((metric) => `${kind}: ${metric} of ${leg}`),
    ),
  )
}

const methodNames: Record<Method, string> = {
  hybrid: 'all legs',
  words: 'words and links',
  semantic: 'vectors',
  bm25: 'BM25',
}

/**
 * Formats the figures for the documentation: recall@10 / nDCG@10 by kind and method, hit@10 of all legs, and questions without an
 * answer.
 */
export function describeFigures({ kinds, habits: { answered, abstained } }: Figures): string {
  const pair = (figures: KindFigures | undefined) =>
    figures === undefined ? '' : `${figures.recall10.toFixed(1)} / ${figures.ndcg10.toFixed(1)}`
  const rows = Object.entries(kinds.hybrid).map(([kind, { questions, hit10 }]) => [
    kind,
    String(questions),
    ...methods.map((method) => pair(kinds[method][kind])),
    hit10.toFixed(1),
  ])
  const head = ['kind', 'n', ...methods.map((method) => methodNames[method]), 'hit@10, all legs']
  return [
    table(head, rows),
    `If you ask for ten results, a question with an answer gets ${answered.results.toFixed(1)} on average ` +
      `(${answered.precision.toFixed(1)} % of them right, greatest similarity ${answered.similarity.toFixed(2)}), ` +
      `a question without an answer ${abstained.results.toFixed(1)} (${abstained.similarity.toFixed(2)}).`,
  ].join('\n\n')
}

const beginMark = '<!-- search quality -->'
const endMark = '<!-- end of search quality -->'

/** Writes the figures, and their table between its marks in the documentation. */
export function writeFigures(figures: Figures): void {
  writeFileSync(figuresPath, `${JSON.stringify(figures, undefined, 2)}\n`)
  const text = readFileSync(docsPath, 'utf8')
  const [begin, end] = [text.indexOf(beginMark), text.indexOf(endMark)]
  if (begin < 0 || end < begin) throw new Error('The documentation has no marks for the figures of search quality')
  writeFileSync(
    docsPath,
    `${text.slice(0, begin + beginMark.length)}\n\n${describeFigures(figures)}\n\n${text.slice(end)}`,
  )
}
