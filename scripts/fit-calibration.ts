/**
 * Fits the calibration of an embedding model to pairs of texts that people have rated:
 *
 *   node scripts/fit-calibration.ts pairs.tsv
 *
 * It uses the model of the HOLDFAST_EMBEDDINGS settings. The file has one pair per line: text, text, rating, separated by tabs.
 * The smallest and the largest rating in the file are the ends of the scale. It should mean the same as the scale of STS: 0
 * nothing in common, 1 the same subject, 4 the same except for minor details, 5 the same. Prints the setting for the server.
 */
import { readFileSync } from 'node:fs'
import { readConfig } from '../packages/server/src/config.ts'
import { createCalibration, type Knot } from '../packages/server/src/embeddings/calibration.ts'
import { createProvider } from '../packages/server/src/embeddings/create-provider.ts'
import type { EmbeddingProvider } from '../packages/server/src/embeddings/provider.ts'
import { findX, fitRising, rankCorrelation } from './isotonic.ts'

/**
 * The average rating of pairs with a given similarity, as a part of the scale. The upper two are the requirements of dedup: 4
 * of 5 and 4.5 of 5. The lower two are where searches lose only noise: the thresholds of the built-in model were measured on
 * searches (docs/search-design.md), and these are the ratings of pairs at those cosines.
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

const tooFew = 'too few pairs, or ratings too similar, to fit a calibration'

/** Reads pairs. Throws an error with the number of an invalid line. */
export function readPairs(file: string): RatedPair[] {
  return file
    .split(/\r?\n/)
    .map((line, i) => ({ line, number: i + 1 }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => {
      const [a = '', b = '', rating = ''] = line.split('\t')
      if ([a, b, rating].some((part) => part.trim() === '') || !Number.isFinite(Number(rating)))
        throw new Error(`line ${number}: expected text, text, rating`)
      return { texts: [a, b], rating: Number(rating) }
    })
}

/** Returns the cosine and the scaled rating of each pair, without texts that the model does not know. Throws if all ratings are equal. */
export async function ratePairs(
  provider: Pick<EmbeddingProvider, 'embed'>,
  pairs: readonly RatedPair[],
): Promise<{ x: number; y: number }[]> {
  const { vectors } = await provider.embed(
    pairs.flatMap(({ texts }) => texts),
    'document',
  )
  const ratings = pairs.map(({ rating }) => rating)
  // Math.min(...ratings) would fail with more than about 100,000 arguments.
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
 * Returns a point for each landmark within the range of the ratings. Throws if there is none, or if several have the same
 * cosine.
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
    throw new Error(
      'Usage: node scripts/fit-calibration.ts <pairs.tsv>, with the HOLDFAST_EMBEDDINGS settings of a model',
    )
  const points = await ratePairs(provider, readPairs(readFileSync(path, 'utf8')))
  const knots = fitKnots(points)
  // Throws if the line does not rise.
  createCalibration(knots)
  console.log(`${points.length} pairs, ${provider.id}`)
  console.log(`Spearman ${rankCorrelation(points).toFixed(3)}`)
  console.log(`HOLDFAST_EMBEDDINGS_CALIBRATION=${knots.map((knot) => knot.join(':')).join(',')}`)
}

if (import.meta.main) await main()
