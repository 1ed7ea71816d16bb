import { expect, it } from 'vitest'
import { guessCalibration } from './known-calibrations.ts'

it.each([
  ['intfloat/multilingual-e5-large', 0.7],
  ['E5-small-v2', 0.7],
  ['text-embedding-ada-002', 0.7],
  ['Supabase/gte-small', 0.7],
  ['BAAI/bge-small-en-v1.5', 0.45],
  ['bge-large-en', 0.6],
])('takes from %s what unrelated texts have', (model, floor) => {
  const { toSimilarity, toCosine } = guessCalibration(model)
  expect(toSimilarity(floor)).toBe(0)
  expect(toSimilarity(1)).toBe(1)
  expect(toCosine(0.5)).toBeCloseTo((floor + 1) / 2)
})

it.each([
  'text-embedding-3-small',
  'sentence-transformers/all-MiniLM-L6-v2',
  'nomic-embed-text',
  'some-e5',
  'large-e5-smaller',
])('takes the cosines of %s as they are', (model) => {
  expect([0.1, 0.4, 0.9].map(guessCalibration(model).toSimilarity)).toEqual([0.1, 0.4, 0.9])
})
