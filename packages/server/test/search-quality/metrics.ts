/** Metrics of one ranked list, each from 0 to 1. */
export interface Metrics {
  /** The fraction of the relevant ids among the first k. */
  'recall@1': number
  'recall@5': number
  'recall@10': number
  'recall@50': number
  /** 1 if at least one relevant id is among the first 10. */
  'hit@10': number
  /** 1 if all relevant ids are. */
  'all@10': number
  /** Each relevant id among the first 10 gains 1 / log2(rank + 1), divided by the gain of the best possible order. */
  'ndcg@10': number
  /** 1 / the rank of the first relevant id; 0 if there is none. */
  mrr: number
}

export type MetricName = keyof Metrics

export const metricNames = [
  'recall@1',
  'recall@5',
  'recall@10',
  'recall@50',
  'hit@10',
  'all@10',
  'ndcg@10',
  'mrr',
] as const satisfies readonly MetricName[]

const gainAt = (place: number): number => 1 / Math.log2(place + 1)

const idealGain = (count: number): number =>
  Array.from({ length: Math.min(count, 10) }, (_, i) => gainAt(i + 1)).reduce((sum, gain) => sum + gain, 0)

/** For a list with the best first. A repeated id counts at its first rank. `relevant` must not be empty. */
export function measureList(ids: readonly string[], relevant: ReadonlySet<string>): Metrics {
  if (relevant.size === 0) throw new RangeError('Nothing is relevant: there is no recall to measure')
  const places = [...new Set(ids)].flatMap((id, i) => (relevant.has(id) ? [i + 1] : []))
  const foundIn = (depth: number) => places.filter((place) => place <= depth)
  const recall = (depth: number) => foundIn(depth).length / relevant.size
  const gain = foundIn(10).reduce((sum, place) => sum + gainAt(place), 0)
  return {
    'recall@1': recall(1),
    'recall@5': recall(5),
    'recall@10': recall(10),
    'recall@50': recall(50),
    'hit@10': foundIn(10).length > 0 ? 1 : 0,
    'all@10': foundIn(10).length === relevant.size ? 1 : 0,
    'ndcg@10': gain / idealGain(relevant.size),
    mrr: places[0] === undefined ? 0 : 1 / places[0],
  }
}

/** The mean of each metric; zeros for an empty list. */
export function meanOf(all: readonly Metrics[]): Metrics {
  const mean = (name: MetricName) => all.reduce((sum, metrics) => sum + metrics[name], 0) / Math.max(1, all.length)
  return Object.fromEntries(metricNames.map((name) => [name, mean(name)])) as Record<MetricName, number>
}
