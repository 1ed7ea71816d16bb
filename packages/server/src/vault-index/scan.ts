import { scanWasm } from './scan-wasm.ts'

/**
 * Products of one query with many int8 rows, in WebAssembly where the machine has SIMD, else (12 times slower) in
 * JavaScript.
 */

/** Places within a scan's memory, in bytes. */
export interface ScanPlaces {
  rows: number
  scales: number
  /** Row length in memory: a multiple of 64, zeros behind the last number. */
  stride: number
  /** The query, widened to int16: 2 × stride bytes. */
  query: number
  out: number
}

/**
 * Writes float32 cosines of `count` rows from `firstRow` on to `places.out`. Four rows are read and written at a time: there must
 * be room for as many.
 */
export type Scan = (places: ScanPlaces, firstRow: number, count: number, queryScale: number) => void

interface ScanExports {
  scan(rows: number, scales: number, count: number, stride: number, query: number, scale: number, out: number): void
}

let compiled: WebAssembly.Module | null | undefined

function scanModule(): WebAssembly.Module | null {
  if (compiled === undefined) {
    const bytes = Buffer.from(scanWasm, 'base64')
    // Not every machine that runs Node has SIMD; there the plain loop serves.
    compiled = WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null
  }
  return compiled
}

/** Undefined where WebAssembly cannot run the scan. */
export function wasmScan(memory: WebAssembly.Memory): Scan | undefined {
  const module = scanModule()
  if (module === null) return undefined
  const exports = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as ScanExports
  return ({ rows, scales, stride, query, out }, firstRow, count, queryScale) =>
    exports.scan(rows + firstRow * stride, scales + firstRow * 4, count, stride, query, queryScale, out)
}

/**
 * The same in JavaScript, over any buffer; equal to the last bit, since sums are whole numbers and products round
 * alike.
 */
export function plainScan(buffer: ArrayBufferLike): Scan {
  return (places, firstRow, count, queryScale) => {
    const { stride } = places
    const rows = new Int8Array(buffer, places.rows + firstRow * stride, count * stride)
    const scales = new Float32Array(buffer, places.scales + firstRow * 4, count)
    const query = new Int16Array(buffer, places.query, stride)
    const out = new Float32Array(buffer, places.out, count)
    const scale = Math.fround(queryScale)
    for (let row = 0, at = 0; row < count; row++) {
      let sum = 0
      for (let i = 0; i < stride; i++) sum += (rows[at++] as number) * (query[i] as number)
      out[row] = Math.fround(scale * Math.fround((scales[row] as number) * Math.fround(sum)))
    }
  }
}
