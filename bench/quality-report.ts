import { metricNames, type MetricName } from '../packages/server/test/search-quality/metrics.ts'
import { compareRuns, type RunScore } from '../packages/server/test/search-quality/score.ts'
import { table } from './table.ts'

const percent = (share: number): string => (100 * share).toFixed(1)

/** A table by kind of question, in per cent, of what a list of `top` results can tell. */
export function describeScore({ overall, kinds, answered, abstained, missing }: RunScore, top: number): string {
  const shown = metricNames.filter((name) => !name.startsWith('recall@') || Number(name.slice('recall@'.length)) <= top)
  // A set that knows no kinds has one.
  const rows = kinds.length > 1 ? [overall, ...kinds] : [overall]
  const cells = rows.map(({ kind, count, metrics }) => [
    kind,
    String(count),
    ...shown.map((name) => percent(metrics[name])),
  ])
  return [
    table(['kind', 'n', ...shown], cells),
    ...(missing === 0 ? [] : [`Questions that the run lacks, which count as 0: ${missing}.`]),
    `Results a question: ${answered.results.toFixed(1)}, ${percent(answered.precision)} % of them relevant; greatest similarity ` +
      `${answered.similarity.toFixed(2)} on the mean.`,
    ...(abstained.count === 0
      ? []
      : [
          `Questions that nothing answers: ${abstained.count}; ${abstained.results.toFixed(1)} results, ` +
            `greatest similarity ${abstained.similarity.toFixed(2)} on the mean.`,
        ]),
  ].join('\n\n')
}

/** What this run is better by, in points, with the interval of its uncertainty. */
export function describeComparison(score: RunScore, other: RunScore): string {
  const names: MetricName[] = ['recall@5', 'recall@10', 'ndcg@10', 'mrr']
  const rows = names.map((name) => {
    const { difference, low, high, better, worse } = compareRuns(score, other, name)
    const points = (value: number) => (100 * value).toFixed(2)
    return [name, points(difference), `${points(low)} to ${points(high)}`, String(better), String(worse)]
  })
  return `\n${table(['against the other run', 'points', '95 % interval', 'better on', 'worse on'], rows)}`
}

/** The figures that are under their least, in per cent, as lines for people. */
export function shortfalls({ overall }: RunScore, least: Partial<Record<MetricName, number>>): string[] {
  return metricNames.flatMap((name) => {
    const minimum = least[name] ?? 0
    const measured = 100 * overall.metrics[name]
    return measured < minimum ? [`${name} is ${measured.toFixed(1)}, under the minimum of ${minimum}`] : []
  })
}
