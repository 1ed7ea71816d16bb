import { createCalibration, plainCosines, type Calibration } from './calibration.ts'

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
