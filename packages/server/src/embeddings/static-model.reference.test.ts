import * as fc from 'fast-check'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadStaticModel } from './static-model.ts'

const model = loadStaticModel()

/** Texts with the vectors that the makers of the table got: beside the project, where it is worked on. */
const reference = join(import.meta.dirname, '../../../../../shared/model/reference.jsonl')

const dot = (a: Float32Array, b: ArrayLike<number>): number =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? Number.NaN), 0)

describe('the built-in model', () => {
  it.each([
    ['The cat sleeps.', 4, [0.3454, -0.18793, -0.02806, -0.12768]],
    ['Configure PostgreSQL on port 5432.', 14, [0.02536, -0.01561, 0.03485, -0.13055]],
    ['Zoë likes naïve cafés', 4, [0.19636, -0.1, -0.02693, 0.10339]],
  ])('gives %j the vector that it was made to give', (text, tokens, start) => {
    const embedded = model.embed(text)
    expect(embedded.tokens).toBe(tokens)
    expect(Array.from(embedded.vector ?? []).slice(0, 4)).toEqual(start.map((value) => expect.closeTo(value, 4)))
  })

  it.runIf(existsSync(reference))('gives the texts of the reference their vectors', () => {
    const lines = readFileSync(reference, 'utf8').trimEnd().split('\n')
    const unlike = lines.filter((line) => {
      const { text, vector: expected } = JSON.parse(line) as { text: string; vector: number[] }
      const { vector } = model.embed(text)
      return vector === undefined ? expected.some((value) => value !== 0) : !(dot(vector, expected) > 0.999)
    })
    expect(unlike).toEqual([])
    expect(lines.length).toBeGreaterThan(30)
  })

  it('has a vector of length 1 or none for any text, the same for halves of characters and for the sign in their place', () => {
    const parts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom('\uD83D', '\uDE00', '\u0301', 'ship'),
    )
    const anyText = fc.array(parts).map((all) => all.join(''))
    const isSound = (text: string): boolean => {
      const { vector, tokens } = model.embed(text)
      const wellFormed = model.embed(text.toWellFormed()).vector
      if (vector === undefined || wellFormed === undefined) return vector === wellFormed
      return tokens > 0 && Math.abs(dot(vector, vector) - 1) < 1e-5 && Math.abs(dot(vector, wellFormed) - 1) < 1e-5
    }
    expect(() => fc.assert(fc.property(anyText, isSound), { numRuns: 1000 })).not.toThrow()
  })
})
