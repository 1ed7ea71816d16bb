import { describe, expect, it } from 'vitest'
import { atOnce } from '../../core/in-pieces.ts'
import { quantize, type QuantizedVector } from '../stored/entry.ts'
import { createVectors } from '../testing/vectors.ts'
import { RowCodes } from './row-codes.ts'
import { VectorBlock } from './vectors.ts'

function cosine(a: QuantizedVector, b: QuantizedVector): number {
  let sum = 0
  for (let i = 0; i < a.row.length; i++) sum += (a.row[i] as number) * (b.row[i] as number)
  return sum * a.scale * b.scale
}

describe('codes of vectors', () => {
  it.each([70, 256, 384, 1024, 3072])('estimate cosines without bias, with %i dimensions', (dims) => {
    const next = createVectors(dims, 7)
    const rows = Array.from({ length: 500 }, () => quantize(next()))
    const center = new Float32Array(dims)
    for (const { row, scale } of rows) row.forEach((value, i) => (center[i] = (center[i] ?? 0) + (value * scale) / 500))
    const codes = new RowCodes(dims, center)
    for (const row of rows) codes.add(row)
    let [sum, squares, count] = [0, 0, 0]
    for (let question = 0; question < 20; question++) {
      const query = quantize(next())
      const estimates = codes.estimate(query)
      expect(estimates).toHaveLength(500)
      rows.forEach((row, i) => {
        const error = (estimates[i] ?? 0) - cosine(row, query)
        sum += error
        squares += error * error
        count++
      })
    }
    const deviation = Math.sqrt(squares / count)
    // That of questions that are all far from the center is a little smaller.
    expect(deviation / codes.error).toBeGreaterThan(0.8)
    expect(deviation / codes.error).toBeLessThan(1.1)
    // Rows share the questions, so their errors aren't independent.
    expect(Math.abs(sum / count)).toBeLessThan(codes.error / 5)
  })

  it('say of a vector of zeros what they say of the center', () => {
    const codes = new RowCodes(4, Float32Array.of(0.5, 0, 0, 0))
    codes.add(quantize([0, 0, 0, 0]))
    codes.add(quantize([1, 0, 0, 0]))
    const [zero, one] = codes.estimate(quantize([1, 0, 0, 0]))
    expect(zero).toBeCloseTo(0, 1)
    expect(one).toBeCloseTo(1, 1)
    expect([...codes.estimate(quantize([0, 0, 0, 0]))]).toEqual([0, 0])
  })

  it('are overwritten by a wipe, and when they move', () => {
    const next = createVectors(64, 3)
    const codes = new RowCodes(64, new Float32Array(64))
    codes.add(quantize(next()))
    const bytes = () => new Uint8Array(codes.estimate(quantize(next())).buffer)
    const before = bytes()
    expect(before.some((byte) => byte !== 0)).toBe(true)
    codes.reserve(10_000)
    const after = bytes()
    expect(before.every((byte) => byte === 0)).toBe(true)
    codes.wipe()
    expect(after.every((byte) => byte === 0)).toBe(true)
  })
})

describe('a search by estimates', () => {
  const dims = 256
  const next = createVectors(dims, 11)
  const block = new VectorBlock('m', dims)
  const add = (count: number) => {
    for (let i = 0; i < count; i++) block.addRow(block.rowCount, quantize(next()))
  }
  add(6_000)
  const encoding = block.encode()
  encoding.next()
  // These come while codes are built, the last ones afterwards.
  add(500)
  atOnce(encoding)
  add(1_500)
  /** Otherwise the exact cosines of the last scan would still be there. */
  const forgetCosines = () => block.scan(quantize(next()))

  it('finds nearly all of the nearest, with exact cosines, and leaves most rows out', () => {
    let [found, asked, looked, farther] = [0, 0, 0, 0]
    for (let question = 0; question < 50; question++) {
      const query = quantize(next())
      const exact = block.scan(query).slice()
      const floor = exact.toSorted().at(-100) ?? 0
      const nearest = [...exact.keys()].filter((row) => (exact[row] ?? 0) >= floor)
      forgetCosines()
      const { near, cosines } = block.search(query)
      const rows = near(floor)
      const seen = new Set(rows)
      for (const row of rows) expect(cosines[row]).toBe(exact[row])
      expect([...rows]).toEqual([...rows].toSorted((a, b) => a - b))
      found += nearest.filter((row) => seen.has(row)).length
      asked += nearest.length
      looked += rows.length
      farther += [...rows].filter((row) => (exact[row] ?? 0) < floor).length
    }
    expect(found / asked).toBeGreaterThan(0.995)
    expect(looked / (50 * block.rowCount)).toBeLessThan(0.15)
    // A scan of all would have left out these, too.
    expect(farther).toBeGreaterThan(asked)
  })

  it('scans all rows if most may be near', () => {
    const query = quantize(next())
    const exact = block.scan(query).slice()
    forgetCosines()
    const { near, cosines, score } = block.search(query)
    expect(near(-1)).toHaveLength(block.rowCount)
    expect(cosines).toEqual(exact)
    score(() => expect.unreachable())
    expect([...near(0.3)]).toEqual([...exact.keys()].filter((row) => (exact[row] ?? 0) >= Math.fround(0.3)))
  })

  it('makes further cosines exact on demand', () => {
    const query = quantize(next())
    const exact = block.scan(query).slice()
    forgetCosines()
    const { near, cosines, score } = block.search(query)
    near(0.9)
    score(() => new Set([7_999, 3]))
    expect([cosines[3], cosines[7_999]]).toEqual([exact[3], exact[7_999]])
  })
})
