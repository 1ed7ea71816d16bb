import { readKnots } from '../../embeddings/calibration.ts'
import type { EmbeddingProvider } from '../../embeddings/provider.ts'
import { questionPairs } from './question-pairs.ts'

/** What a model does with the question pairs. */
export interface Trial {
  dims: number
  /** The most tokens that the model reads of a text; null if it doesn't say. */
  maxTokens: number | null
  textsPerSecond: number
  /** The median. */
  msPerQuestion: number
  pairs: number
  /** How many questions are nearer to their own answer than to all others. */
  right: number
  /** Mean cosines of questions with their own answers, and with the others. */
  cosines: { own: number; others: number }
  /** How many of these pairs reach the similarity from which memories are found, and how many there are. */
  found: { own: number; others: number; ofOthers: number }
  /**
   * A line for HOLDFAST_EMBEDDINGS_CALIBRATION that fits better than the one in use. Null if that one fits, or if the model can't tell
   * answers apart, so that no line helps.
   */
  suggestedCalibration: string | null
}

/** Embeds each text once, after one that loads the model. Rejects with an EmbeddingError. */
export async function tryModel(provider: EmbeddingProvider): Promise<Trial> {
  await provider.embed(['Is anybody there?'], 'document')
  const answers = questionPairs.map(([, answer]) => answer)
  const started = performance.now()
  const { vectors: stored } = await provider.embed(answers, 'document')
  const documentMs = performance.now() - started
  const asked = []
  for (const [question] of questionPairs) asked.push(await askOne(provider, question))
  const { own, others, right } = compare(
    asked.map(({ vector }) => vector),
    stored,
  )
  const { calibration } = provider
  const countFound = (cosines: readonly number[]) =>
    cosines.filter((cosine) => calibration.toSimilarity(cosine) >= foundFrom).length
  const noiseEnd = findNoiseEnd(others)
  const fits = Math.abs(noiseEnd - calibration.toCosine(foundFrom)) <= closeEnough
  return {
    dims: provider.dims ?? 0,
    maxTokens: provider.maxTokens ?? null,
    textsPerSecond: (1000 * answers.length) / documentMs,
    msPerQuestion: median(asked.map(({ ms }) => ms)),
    pairs: questionPairs.length,
    right,
    cosines: { own: mean(own), others: mean(others) },
    found: { own: countFound(own), others: countFound(others), ofOthers: others.length },
    suggestedCalibration: fits || !canTellApart(right) ? null : suggestCalibration(noiseEnd),
  }
}

/** From how many questions on the model finds enough to be useful. The built-in one finds 15. */
export const canTellApart = (right: number): boolean => right >= questionPairs.length * 0.75

/** Null for a cosine that rounds to 1, which can only mean equal. */
function suggestCalibration(noiseEnd: number): string | null {
  const line = `${noiseEnd.toFixed(2)}:${foundFrom}`
  return readKnots(line) === undefined ? null : line
}

async function askOne(provider: EmbeddingProvider, question: string) {
  const started = performance.now()
  const { vectors } = await provider.embed([question], 'query')
  return { vector: vectors[0], ms: performance.now() - started }
}

type Vectors = readonly (Float32Array | undefined)[]

/** The cosines of questions with their own answers and with all others. Vectors have length 1. */
function compare(questions: Vectors, answers: Vectors): { own: number[]; others: number[]; right: number } {
  const cosines = questions.map((question) => answers.map((answer) => dot(question, answer)))
  const own = cosines.map((row, i) => row[i] ?? 0)
  const others = cosines.map((row, i) => row.filter((_, at) => at !== i))
  const right = own.filter((cosine, i) => cosine > Math.max(...(others[i] ?? []))).length
  return { own, others: others.flat(), right }
}

const dot = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  a === undefined || b === undefined ? 0 : a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, value) => sum + value, 0) / numbers.length

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

/** The default threshold of searches in memories (docs/search-design.md). */
export const foundFrom = 0.4

/** 1 % of pairs that don't belong together are above this cosine. With the built-in model, it is 0.31, and its threshold 0.30. */
const findNoiseEnd = (others: readonly number[]): number =>
  others.toSorted((a, b) => b - a)[Math.floor(others.length / 100)] ?? 0

/** How well so few pairs can tell. */
const closeEnough = 0.03
