/**
 * The same cosine means different things for different models: 0.4 is near for one and noise for another. A calibration maps a model's
 * cosines to a similarity from 0 to 1, which thresholds and answers use for every model. It is a line through a few knots, fitted on
 * pairs of texts that people have rated (scripts/fit-calibration.ts).
 */
export interface Calibration {
  /** 0 to 1; strictly increasing from the largest cosine that means 0 up to the cosine 1, which means 1. */
  toSimilarity(cosine: number): number
  /**
   * The smallest cosine with this similarity: `cosine >= toCosine(s)` equals `toSimilarity(cosine) >= s`, apart from rounding. 0 gives
   * -1, so a threshold of 0 excludes nothing.
   */
  toCosine(similarity: number): number
  /** The given knots and both ends. */
  readonly knots: readonly Knot[]
}

export type Knot = readonly [cosine: number, similarity: number]

/**
 * The line through the knots, in which both numbers must increase. Adds missing ends: cosine 1 means 1; cosine 0, or -1 if a knot is at
 * or below 0, means 0. Throws a RangeError for invalid knots.
 */
export function createCalibration(given: readonly Knot[]): Calibration {
  const knots = withEnds(given)
  const problem = findProblem(knots)
  if (problem !== undefined) throw new RangeError(`Invalid calibration: ${problem}`)
  return {
    knots,
    toSimilarity: (cosine) => interpolate(knots, cosine, 0, 1),
    toCosine: (similarity) => (similarity <= 0 ? -1 : interpolate(knots, similarity, 1, 0)),
  }
}

/** Uses cosines from 0 to 1 unchanged, for unknown models. */
export const plainCosines = createCalibration([])

/** Parses a setting such as `0.3:0.4,0.37:0.5`. Undefined if it isn't a valid calibration. */
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
    return 'cosines must be between -1 and 1, similarities between 0 and 1'
  }
  const isRising = knots.every((knot, i) => {
    const before = knots[i - 1]
    return before === undefined || (knot[0] > before[0] && knot[1] > before[1])
  })
  if (!isRising || knots[0]?.[1] !== 0) return 'both numbers must increase from each knot to the next'
  // Otherwise all texts above a smaller cosine would count as equal.
  return knots.at(-1)?.[0] === 1 ? undefined : 'only the cosine 1 means 1'
}

/** Interpolates `value` of axis `from` to axis `to`; beyond the knots it returns the nearest one. */
function interpolate(knots: readonly Knot[], value: number, from: 0 | 1, to: 0 | 1): number {
  const at = knots.findIndex((knot) => knot[from] >= value)
  const after = knots[at] ?? knots.at(-1)
  const before = at === -1 ? after : (knots[at - 1] ?? after)
  if (before === undefined || after === undefined) throw new RangeError('A calibration has two knots at least')
  if (before === after) return after[to]
  const part = (value - before[from]) / (after[from] - before[from])
  // Rounding must not lift it above the next knot.
  return Math.min(after[to], before[to] + part * (after[to] - before[to]))
}

/**
 * The cosine of unrelated texts for models that place all texts close together, where it is published. All-MiniLM,
 * all-mpnet and text-embedding-3 are at 0.05 to 0.1, and other models are assumed to be.
 *
 * - e5: "around 0.7 to 1.0", its model card. It finds less without the prefixes that it was trained with; uncalibrated,
 *   its noise would count as similarity
 * - text-embedding-ada-002: 0.77 for questions that the text doesn't answer; its successor has 0.2 to 0.25
 * - gte: 0.71; bge version 1.5: 0.47, version 1: 0.6 to 1, the maker's notes
 */
const floors: readonly { model: RegExp; floor: number }[] = [
  { model: /\be5-(small|base|large)\b/, floor: 0.7 },
  { model: /\btext-embedding-ada-002\b/, floor: 0.7 },
  { model: /\bgte-(small|base|large)\b/, floor: 0.7 },
  { model: /\bbge-(small|base|large)-(en|zh)-v1\.5\b/, floor: 0.45 },
  { model: /\bbge-(small|base|large)\b/, floor: 0.6 },
]

/**
 * Guesses by a model's name: a straight line from the cosine of unrelated texts to 1. A fit on rated pairs (scripts/fit-calibration.ts)
 * in HOLDFAST_EMBEDDINGS_CALIBRATION is better.
 */
export function guessCalibration(model: string): Calibration {
  const name = model.toLowerCase().replaceAll('_', '-')
  const known = floors.find((family) => family.model.test(name))
  return known === undefined ? plainCosines : createCalibration([[known.floor, 0]])
}
