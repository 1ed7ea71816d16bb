import { quantize } from '../stored/entry.ts'
import * as fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildScan } from '../../../../../scripts/build-scan.ts'
import { VectorBlock } from './vectors.ts'
import { type ScanPlaces, placeQuery, plainScanner, wasmScanner } from './scan.ts'

describe('the vector scan', () => {
  it('is compiled from its source', async () => {
    expect(readFileSync(join(import.meta.dirname, 'scan.ts'), 'utf8')).toBe(await buildScan())
  })

  it('computes exactly the same cosines in WebAssembly and in JavaScript', () => {
    const memory = new WebAssembly.Memory({ initial: 2 })
    const fast = wasmScanner(memory)
    expect(fast).toBeDefined()
    const random = fc.record({
      strides: fc.integer({ min: 1, max: 64 }),
      count: fc.integer({ min: 1, max: 8 }),
      seed: fc.nat(),
    })
    fc.assert(
      fc.property(random, ({ strides, count, seed }) => {
        const places: ScanPlaces = { query: 0, out: 8192, list: 8320, scales: 8448, rows: 8704, stride: strides * 64 }
        fill(memory.buffer, places, count, seed)
        const outcomes = [fast, plainScanner(memory.buffer)].map((scanner) => {
          scanner?.scan(places, count, 0.0123)
          return new Float32Array(memory.buffer.slice(places.out, places.out + count * 4))
        })
        expect(outcomes[0]).toEqual(outcomes[1])
        expect(outcomes[0]?.some((value) => value !== 0)).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  it('computes exact products of positive and negative numbers', () => {
    const number = fc.integer({ min: -127, max: 127 })
    const vector = fc.array(number, { minLength: 70, maxLength: 70 })
    fc.assert(
      fc.property(vector, vector, (query, row) => {
        const block = new VectorBlock('m', 70)
        for (let i = 0; i < 600; i++) block.addRow(i, { row: Int8Array.from(row), scale: 1 })
        const product = query.reduce((sum, value, i) => sum + value * (row[i] ?? 0), 0)
        expect(new Set(block.scan({ row: Int8Array.from(query), scale: 1 }))).toEqual(new Set([product]))
      }),
      { numRuns: 20 },
    )
  })

  it('selects the same rows in WebAssembly and in JavaScript, and none after the last', () => {
    const memory = new WebAssembly.Memory({ initial: 1 })
    const places: ScanPlaces = { query: 0, out: 1024, list: 2048, scales: 0, rows: 0, stride: 64 }
    const cosine = fc.constantFrom(-1, -0.5, 0, 0.25, 0.1 + 0.2, Number.NaN)
    fc.assert(
      fc.property(fc.array(cosine, { maxLength: 40 }), fc.nat(40), cosine, (values, behind, floor) => {
        new Float32Array(memory.buffer, places.out, values.length).set(values)
        const count = Math.max(0, values.length - behind)
        const outcomes = [wasmScanner(memory), plainScanner(memory.buffer)].map((scanner) => {
          const selected = scanner?.select(places, count, floor)
          return [...new Uint32Array(memory.buffer.slice(places.list), 0, selected)]
        })
        const expected = values
          .slice(0, count)
          .flatMap((value, row) => (Math.fround(value) >= Math.fround(floor) ? [row] : []))
        expect(outcomes).toEqual([expected, expected])
      }),
    )
  })

  it('cannot overflow with the longest rows of the largest numbers', () => {
    const memory = new WebAssembly.Memory({ initial: 2 })
    const places: ScanPlaces = { query: 0, out: 8192, list: 8320, scales: 8448, rows: 8704, stride: 4096 }
    new Int8Array(memory.buffer, places.rows, 4096).fill(-127)
    placeQuery(new Uint8Array(memory.buffer, places.query, 8192), new Int8Array(4096).fill(-127))
    new Float32Array(memory.buffer, places.scales, 1).fill(1)
    wasmScanner(memory)?.scan(places, 1, 1)
    expect(new Float32Array(memory.buffer, places.out, 1)[0]).toBe(4096 * 127 * 127)
  })
})

function fill(buffer: ArrayBuffer, places: ScanPlaces, count: number, seed: number): void {
  let state = seed | 1
  const next = (): number => {
    state = Math.imul(state, 1_664_525) + 1_013_904_223
    return state >> 24
  }
  const rows = new Int8Array(buffer, places.rows, count * places.stride)
  for (let i = 0; i < rows.length; i++) rows[i] = next()
  // Numbers of a query range from -127 to 127.
  const query = Int8Array.from({ length: places.stride }, () => Math.max(-127, next()))
  placeQuery(new Uint8Array(buffer, places.query, 2 * places.stride), query)
  new Float32Array(buffer, places.scales, count).fill(0.0071)
}

describe('VectorBlock', () => {
  const dims = 70
  const vectorOf = (seed: number): Float32Array =>
    Float32Array.from({ length: dims }, (_, i) => Math.sin((seed + 1) * 12.9898 * (i + 1)))
  const cosine = (a: Float32Array, b: Float32Array): number => {
    const dot = (x: Float32Array, y: Float32Array): number => x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0)
    return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
  }

  it('computes the cosines of all rows, before and after it moved into WebAssembly', () => {
    const block = new VectorBlock('m', dims)
    for (const rows of [100, 2500]) {
      for (let row = block.rowCount; row < rows; row++) block.addRow(row, quantize(vectorOf(row)))
      const query = vectorOf(7)
      const found = [...block.scan(quantize(query))]
      expect(found).toHaveLength(rows)
      for (const row of [0, 7, 99, rows - 1]) expect(found[row]).toBeCloseTo(cosine(query, vectorOf(row)), 1)
      expect(found.indexOf(Math.max(...found))).toBe(7)
    }
  })

  it('counts items, not chunks', () => {
    const block = new VectorBlock('m', dims)
    for (const slot of [0, 0, 3, 3, 3]) block.addRow(slot, quantize(vectorOf(slot)))
    expect(block.liveItems).toBe(2)
    block.forget(3)
    block.forget(1)
    expect(block.liveItems).toBe(1)
  })
})

describe('quantize', () => {
  it('returns vectors of length 1 whatever the original length, and zero for zero', () => {
    const { row, scale } = quantize([30, 40])
    expect(row[1]).toBe(127)
    expect(Math.hypot(...row) * scale).toBeCloseTo(1, 2)
    expect(quantize([0, 0])).toEqual({ row: Int8Array.of(0, 0), scale: 0 })
    expect(quantize([Number.NaN, 1]).scale).toBe(0)
  })
})
