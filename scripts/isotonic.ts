/** A point of the line, with the number of pairs it represents. */
export interface Step {
  x: number
  y: number
  weight: number
}

/**
 * Fits the rising line with the smallest squared error (pool adjacent violators): falling neighbors are merged at their mean.
 * Returns steps in order of x, with strictly rising y.
 */
export function fitRising(points: readonly { x: number; y: number }[]): Step[] {
  const steps: Step[] = []
  for (const { x, y } of points.toSorted((a, b) => a.x - b.x)) {
    let step: Step = { x, y, weight: 1 }
    for (let last = steps.at(-1); last !== undefined && (last.y >= step.y || last.x === step.x); last = steps.at(-1)) {
      steps.pop()
      step = pool(last, step)
    }
    steps.push(step)
  }
  return steps
}

function pool(a: Step, b: Step): Step {
  const weight = a.weight + b.weight
  return { x: (a.x * a.weight + b.x * b.weight) / weight, y: (a.y * a.weight + b.y * b.weight) / weight, weight }
}

/** Finds the x at which the line reaches `y`, or undefined if it does not. */
export function findX(steps: readonly Step[], y: number): number | undefined {
  const at = steps.findIndex((step) => step.y >= y)
  const [before, after] = [steps[at - 1], steps[at]]
  if (after?.y === y) return after.x
  if (before === undefined || after === undefined) return undefined
  return before.x + ((y - before.y) / (after.y - before.y)) * (after.x - before.x)
}

/** Computes Spearman's rank correlation, -1 to 1. Equal values share the mean of their ranks. */
export function rankCorrelation(points: readonly { x: number; y: number }[]): number {
  const [xs, ys] = [computeRanks(points.map(({ x }) => x)), computeRanks(points.map(({ y }) => y))]
  const mean = (points.length - 1) / 2
  const product = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, rank, i) => sum + (rank - mean) * ((b[i] ?? mean) - mean), 0)
  return product(xs, ys) / Math.sqrt(product(xs, xs) * product(ys, ys))
}

function computeRanks(values: readonly number[]): number[] {
  const order = values.map((value, i) => ({ value, i })).toSorted((a, b) => a.value - b.value)
  const ranks = Array<number>(values.length).fill(0)
  for (let start = 0, end = 0; start < order.length; start = end) {
    while (end < order.length && order[end]?.value === order[start]?.value) end++
    for (const { i } of order.slice(start, end)) ranks[i] = (start + end - 1) / 2
  }
  return ranks
}
