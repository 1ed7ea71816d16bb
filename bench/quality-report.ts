import { metricNames, type MetricName } from '../packages/server/test/search-quality/metrics.ts'
import { compareRuns, type RunScore } from '../packages/server/test/search-quality/score.ts'
import { table } from './table.ts'

const percent = (share: number): string => (100 * share).toFixed(1)

/** Prints the metrics that a list of `top` results allows, in percent, by kind of question. */
export function describeScore({ overall, kinds, answered, abstained, missing }: RunScore, top: number): string {
  const shown = metricNames.filter((name) => !name.startsWith('recall@') || Number(name.slice('recall@'.length)) <= top)
  // A set without kinds has a single one.
  const rows = kinds.length > 1 ? [overall, ...kinds] : [overall]
  const cells = rows.map(({ kind, count, metrics }) => [
    kind,
    String(count),
    ...shown.map((name) => percent(metrics[name])),
  ])
  return [
    table(['kind', 'n', ...shown], cells),
    ...(missing === 0 ? [] : [`Questions missing from the run, which count as 0: ${missing}.`]),
    `Results per question: ${answered.results.toFixed(1)}, ${percent(answered.precision)} % of them relevant; greatest similarity ` +
      `${answered.similarity.toFixed(2)} on average.`,
    ...(abstained.count === 0
      ? []
      : [
          `Questions without an answer: ${abstained.count}; ${abstained.results.toFixed(1)} results, ` +
            `greatest similarity ${abstained.similarity.toFixed(2)} on average.`,
        ]),
  ].join('\n\n')
}

/** Compares two runs: the difference in points, with a confidence interval. */
export function describeComparison(score: RunScore, other: RunScore): string {
  const names: MetricName[] = ['recall@5', 'recall@10', 'ndcg@10', 'mrr']
  const rows = names.map((name) => {
    const { difference, low, high, better, worse } = compareRuns(score, other, name)
    const points = (value: number) => (100 * value).toFixed(2)
    return [name, points(difference), `${points(low)} to ${points(high)}`, String(better), String(worse)]
  })
  return `\n${table(['against the other run', 'points', '95 % interval', 'better on', 'worse on'], rows)}`
}

/** Lists the figures (in percent) below their minimum, one line each. */
export function shortfalls({ overall }: RunScore, least: Partial<Record<MetricName, number>>): string[] {
  return metricNames.flatMap((name) => {
    const minimum = least[name] ?? 0
    const measured = 100 * overall.metrics[name]
    return measured < minimum ? [`${name} is ${measured.toFixed(1)}, under the minimum of ${minimum}`] : []
  })
}
