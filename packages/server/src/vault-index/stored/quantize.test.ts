import { describe, expect, it } from 'vitest'
import { quantize } from './entry.ts'

// A fixed generator, so the limits below are checked on the same vectors each time.
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state + 0.5) / 2 ** 32
  }
}

function unitVector(random: () => number, dims: number): number[] {
  const values = Array.from(
    { length: dims },
    () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random()),
  )
  const length = Math.hypot(...values)
  return values.map((value) => value / length)
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, value, i) => sum + value * (b[i] ?? Number.NaN), 0)

describe('quantize', () => {
  it.each([64, 256, 768, 1536])('changes the cosine of two vectors of %i numbers by less than 0.005', (dims) => {
    const random = createRandom(dims)
    for (let i = 0; i < 300; i++) {
      const a = unitVector(random, dims)
      const other = unitVector(random, dims)
      const weight = random()
      const mixed = a.map((value, at) => weight * value + (1 - weight) * (other[at] ?? 0))
      const length = Math.hypot(...mixed)
      const b = mixed.map((value) => value / length)
      const [qa, qb] = [quantize(a), quantize(b)]
      expect(Math.abs(dot(qa.row, qb.row) * qa.scale * qb.scale - dot(a, b))).toBeLessThan(0.005)
    }
  })

  it('keeps 95 % of the ten nearest of 1,000', () => {
    const random = createRandom(7)
    const vectors = Array.from({ length: 1000 }, () => unitVector(random, 256))
    const rows = vectors.map(quantize)
    const top = (scores: number[]) =>
      scores
        .map((score, i) => ({ score, i }))
        .toSorted((a, b) => b.score - a.score)
        .slice(0, 10)
    let kept = 0
    for (let k = 0; k < 50; k++) {
      const query = unitVector(random, 256)
      const q = quantize(query)
      const exact = new Set(top(vectors.map((v) => dot(v, query))).map(({ i }) => i))
      kept += top(rows.map(({ row, scale }) => dot(row, q.row) * scale * q.scale)).filter(({ i }) =>
        exact.has(i),
      ).length
    }
    expect(kept / 500).toBeGreaterThan(0.95)
  })
})
