/**
 * Models differ in what a cosine means: 0.4 is near for one and noise for another. A calibration brings a model's cosines
 * to the similarity from 0 to 1 that thresholds and answers speak, the same for every model. It is a line through a few
 * knots, fitted on pairs of texts that people have rated (scripts/fit-calibration.ts).
 */
export interface Calibration {
  /** 0 to 1; rises strictly from the greatest cosine that means 0 up to the cosine 1, which means 1. */
  toSimilarity(cosine: number): number
  /**
   * The least cosine with this similarity: `cosine >= toCosine(s)` says the same as `toSimilarity(cosine) >= s`, but for
   * the rounding of the last digit. So 0 gives -1: a threshold of 0 cuts nothing.
   */
  toCosine(similarity: number): number
  /** As given, with both ends. */
  readonly knots: readonly Knot[]
}

export type Knot = readonly [cosine: number, similarity: number]

/**
 * The line through the knots, in which both numbers rise from each to the next. Ends that are not given are added: cosine 1
 * means 1; cosine 0, or -1 where a knot lies at or below 0, means 0. Throws a RangeError where the knots make no such line.
 */
export function createCalibration(given: readonly Knot[]): Calibration {
  const knots = withEnds(given)
  const problem = findProblem(knots)
  if (problem !== undefined) throw new RangeError(`A calibration cannot be made of these knots: ${problem}`)
  return {
    knots,
    toSimilarity: (cosine) => interpolate(knots, cosine, 0, 1),
    toCosine: (similarity) => (similarity <= 0 ? -1 : interpolate(knots, similarity, 1, 0)),
  }
}

/** Cosines from 0 to 1 as they are: for a model of which nothing is known. */
export const plainCosines = createCalibration([])

/** From the words of a setting: `0.3:0.4,0.37:0.5`. Undefined where no calibration can be made of them. */
export function readKnots(text: string): Knot[] | undefined {
  const knots = text.split(',').map((pair): Knot => {
    const [cosine = NaN, similarity = NaN, ...more] = pair.split(':').map((part) => (part.trim() ? Number(part) : NaN))
    return [cosine, more.length > 0 ? NaN : similarity]
  })
  return findProblem(withEnds(knots)) === undefined ? knots : undefined
}

function withEnds(given: readonly Knot[]): readonly Knot[] {
  const knots = [...given]
  const [first] = knots
  if (first === undefined || first[1] > 0) knots.unshift([first !== undefined && first[0] <= 0 ? -1 : 0, 0])
  const last = knots.at(-1)
  if (last !== undefined && last[1] < 1) knots.push([1, 1])
  return knots
}

function findProblem(knots: readonly Knot[]): string | undefined {
  if (knots.flat().some((number) => !Number.isFinite(number) || number < -1 || number > 1)) {
    return 'cosines lie between -1 and 1, similarities between 0 and 1'
  }
  const isRising = knots.every((knot, i) => {
    const before = knots[i - 1]
    return before === undefined || (knot[0] > before[0] && knot[1] > before[1])
  })
  if (!isRising || knots[0]?.[1] !== 0) return 'both numbers must rise from each knot to the next'
  // Else everything from a lesser cosine on would be called the same.
  return knots.at(-1)?.[0] === 1 ? undefined : 'only the cosine 1 means 1'
}

/** Between the two knots around `value` of axis `from`, that of axis `to`; outside of all knots, that of the nearest. */
function interpolate(knots: readonly Knot[], value: number, from: 0 | 1, to: 0 | 1): number {
  const at = knots.findIndex((knot) => knot[from] >= value)
  const after = knots[at] ?? knots.at(-1)
  const before = at === -1 ? after : (knots[at - 1] ?? after)
  if (before === undefined || after === undefined) throw new RangeError('A calibration has two knots at least')
  if (before === after) return after[to]
  const part = (value - before[from]) / (after[from] - before[from])
  // Rounding must not lift it over the knot that it lies below.
  return Math.min(after[to], before[to] + part * (after[to] - before[to]))
}

/**
 * The cosine that unrelated texts have under models that call everything near, where it is published. All-MiniLM, all-mpnet
 * and text-embedding-3 are at 0.05 to 0.1, like models that are not named here, as far as anybody knows.
 *
 * - e5: "around 0.7 to 1.0", its model card. It finds less without the prefixes that it was taught with; taken as it is, its
 *   noise would pass for likeness
 * - text-embedding-ada-002: 0.77 for questions on nothing in the text, against 0.2 to 0.25 of its successor
 * - gte: 0.71; bge of version 1.5: 0.47, of version 1: 0.6 to 1, its maker's notes
 */
const floors: readonly { model: RegExp; floor: number }[] = [
  { model: /\be5-(small|base|large)\b/, floor: 0.7 },
  { model: /\btext-embedding-ada-002\b/, floor: 0.7 },
  { model: /\bgte-(small|base|large)\b/, floor: 0.7 },
  { model: /\bbge-(small|base|large)-(en|zh)-v1\.5\b/, floor: 0.45 },
  { model: /\bbge-(small|base|large)\b/, floor: 0.6 },
]

/**
 * What can be said of a model by its name: a straight line from the cosine of unrelated texts to 1. Better is a fit on
 * rated pairs (scripts/fit-calibration.ts) in HOLDFAST_EMBEDDINGS_CALIBRATION.
 */
export function guessCalibration(model: string): Calibration {
  const known = floors.find((family) => family.model.test(model.toLowerCase()))
  return known === undefined ? plainCosines : createCalibration([[known.floor, 0]])
}
