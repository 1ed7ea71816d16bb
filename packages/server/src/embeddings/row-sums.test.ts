import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildWasm, rowSums } from '../../../../scripts/build-wasm.ts'
import { plainSums, wasmSums, type RowTable } from './row-sums.ts'

/** Rows of pseudo-random numbers, the extremes among them. */
function tableOf(rowCount: number, dims: number): RowTable {
  const bytes = new Uint8Array(rowCount * 4 + rowCount * dims)
  const view = new DataView(bytes.buffer)
  let state = 7
  const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32
  for (let row = 0; row < rowCount; row++) view.setFloat32(row * 4, next() / 100, true)
  for (let at = rowCount * 4; at < bytes.length; at++) view.setInt8(at, Math.floor(next() * 255) - 127)
  view.setInt8(rowCount * 4, -127)
  return { rowCount, dims, bytes }
}

describe('row sums', () => {
  it('are built from the source that is checked in', async () => {
    expect(readFileSync(join(import.meta.dirname, 'row-sums-wasm.ts'), 'utf8')).toBe(await buildWasm(rowSums))
  })

  it('are the sums of rows times their scales', () => {
    const bytes = new Uint8Array(new Float32Array([0.5, 2]).buffer).buffer
    const table = { rowCount: 2, dims: 2, bytes: new Uint8Array([...new Uint8Array(bytes), 10, 256 - 4, 3, 127]) }
    const sums = plainSums(table)
    for (const row of [0, 1, 1]) sums.add(row)
    expect([...sums.take()]).toEqual([5 + 6 + 6, -2 + 254 + 254])
  })

  it.each([16, 64, 256])('are equal to the last bit in WebAssembly and without, for %i columns', (dims) => {
    const table = tableOf(50, dims)
    const fast = wasmSums(table)
    if (fast === undefined) throw new Error('WebAssembly with SIMD is missing here')
    const plain = plainSums(table)
    // None, some, as many as are listed at once, and more.
    for (const count of [0, 1, 3, 0, 95, 1024, 1025, 5000]) {
      for (let i = 0; i < count; i++) for (const sums of [fast, plain]) sums.add((i * 7 + count) % 50)
      expect(fast.take()).toEqual(plain.take())
    }
  })

  it('leave rows of odd lengths to JavaScript', () => {
    expect(wasmSums(tableOf(3, 10))).toBeUndefined()
  })
})
