/**
 * Fits the calibration of an embedding model on pairs of texts that people have rated:
 *
 *   node scripts/fit-calibration.ts pairs.tsv
 *
 * The model is that of the HOLDFAST_EMBEDDINGS settings. The file has a pair a line: text, text, rating, parted by tabs.
 * A rating is a number; the least and the greatest of the file are the ends of its scale, which should say what
 * that of STS does: 0 nothing in common, 1 the same subject, 4 the same but for details that do not matter, 5 the same.
 * Prints the setting that makes a server use what was found.
 */
import { readFileSync } from 'node:fs'
import { readConfig } from '../packages/server/src/config.ts'
import { createCalibration, type Knot } from '../packages/server/src/embeddings/calibration.ts'
import { createProvider } from '../packages/server/src/embeddings/create-provider.ts'
import type { EmbeddingProvider } from '../packages/server/src/embeddings/provider.ts'
import { findX, fitRising, rankCorrelation } from './isotonic.ts'

/**
 * The part of the scale that pairs of a similarity have on the mean. The upper two say what dedup asks for: 4 of 5 and 4.5 of 5.
 * The lower two are where searches lose noise and nothing else: the thresholds of the built-in model were measured on
 * searches (docs/search.md), and pairs of their cosines are rated so.
 */
const landmarks = [
  { part: 0.12, similarity: 0.4 },
  { part: 0.2, similarity: 0.5 },
  { part: 0.8, similarity: 0.88 },
  { part: 0.9, similarity: 0.95 },
] as const

export interface RatedPair {
  texts: readonly [string, string]
  rating: number
}

const tooFew = 'too few pairs, or too much alike in their ratings, to tell what cosines mean'

/** Throws an Error that names the line which is no pair. */
export function readPairs(file: string): RatedPair[] {
  return file
    .split(/\r?\n/)
    .map((line, i) => ({ line, number: i + 1 }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => {
      const [a = '', b = '', rating = ''] = line.split('\t')
      if ([a, b, rating].some((part) => part.trim() === '') || !Number.isFinite(Number(rating)))
        throw new Error(`line ${number}: a pair is text, text, rating`)
      return { texts: [a, b], rating: Number(rating) }
    })
}

/** Cosine and part of the scale of each pair; left out where the model knows nothing of a text. Throws where all are rated alike. */
export async function ratePairs(
  provider: Pick<EmbeddingProvider, 'embed'>,
  pairs: readonly RatedPair[],
): Promise<{ x: number; y: number }[]> {
  const { vectors } = await provider.embed(
    pairs.flatMap(({ texts }) => texts),
    'document',
  )
  const ratings = pairs.map(({ rating }) => rating)
  // Not Math.min(...ratings): a call takes some 100,000 arguments.
  const least = ratings.reduce((a, b) => Math.min(a, b), Infinity)
  const greatest = ratings.reduce((a, b) => Math.max(a, b), -Infinity)
  if (!(least < greatest)) throw new Error(tooFew)
  return ratings.flatMap((rating, i) => {
    const [a, b] = [vectors[2 * i], vectors[2 * i + 1]]
    if (a === undefined || b === undefined) return []
    return [
      { x: a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0), y: (rating - least) / (greatest - least) },
    ]
  })
}

/**
 * A knot for each landmark that the ratings reach: a set without unlike or without equal texts says nothing of those. Throws where
 * they reach none, or several at one cosine.
 */
export function fitKnots(points: readonly { x: number; y: number }[]): Knot[] {
  const steps = fitRising(points)
  const knots = landmarks.flatMap(({ part, similarity }): Knot[] => {
    const cosine = findX(steps, part)
    return cosine === undefined ? [] : [[Number(cosine.toFixed(3)), similarity]]
  })
  const isRising = knots.every(([cosine], i) => cosine > (knots[i - 1]?.[0] ?? -Infinity))
  if (knots.length === 0 || !isRising) throw new Error(tooFew)
  return knots
}

async function main(): Promise<void> {
  const provider = createProvider(readConfig().embeddings)
  const [, , path] = process.argv
  if (path === undefined || provider === undefined)
    throw new Error('call it with a file of pairs and the HOLDFAST_EMBEDDINGS settings of a model')
  const points = await ratePairs(provider, readPairs(readFileSync(path, 'utf8')))
  const knots = fitKnots(points)
  // Throws where the ratings make no line that rises.
  createCalibration(knots)
  console.log(`${points.length} pairs, ${provider.id}`)
  console.log(`Spearman ${rankCorrelation(points).toFixed(3)}`)
  console.log(`HOLDFAST_EMBEDDINGS_CALIBRATION=${knots.map((knot) => knot.join(':')).join(',')}`)
}

if (import.meta.main) await main()
