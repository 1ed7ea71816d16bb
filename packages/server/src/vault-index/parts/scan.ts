/** Multiplies one query with many int8 rows, in WebAssembly if the machine has SIMD, otherwise in JavaScript (12 times slower). */

/** Offsets within a scan's memory, in bytes. */
export interface ScanPlaces {
  rows: number
  scales: number
  /** Row length in memory: a multiple of 64, padded with zeros. */
  stride: number
  /** The query's magnitudes, at most 127, then its signs, 0xff for numbers below zero: `stride` bytes each. */
  query: number
  out: number
  /** Room for one uint32 row number per row. */
  list: number
}

/** Reads and writes four rows at a time, so there must be room for a multiple of four. */
export interface Scanner {
  /** Writes float32 cosines of the first `count` rows to `places.out`. */
  scan(places: ScanPlaces, count: number, queryScale: number): void
  /** Writes the rows with at least `floor` to `places.list`, in ascending order, and returns how many. */
  select(places: ScanPlaces, count: number, floor: number): number
}

/** Writes a query of int8 numbers to its place, which has 2 × stride bytes. */
export function placeQuery(place: Uint8Array, row: Int8Array): void {
  place.fill(0)
  const signsAt = place.length / 2
  row.forEach((value, i) => {
    place[i] = Math.abs(value)
    place[signsAt + i] = value < 0 ? 0xff : 0
  })
}

interface ScanExports {
  scan(rows: number, scales: number, count: number, stride: number, query: number, scale: number, out: number): void
  select(out: number, count: number, floor: number, list: number): number
}

let compiled: WebAssembly.Module | null | undefined

function scanModule(): WebAssembly.Module | null {
  if (compiled === undefined) {
    const bytes = Buffer.from(scanWasm, 'base64')
    // Without relaxed SIMD, the plain loop is used.
    compiled = WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null
  }
  return compiled
}

/** Undefined if WebAssembly can't run the scan. */
export function wasmScanner(memory: WebAssembly.Memory): Scanner | undefined {
  const module = scanModule()
  if (module === null) return undefined
  const { scan, select } = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as ScanExports
  return {
    scan: ({ rows, scales, stride, query, out }, count, queryScale) =>
      scan(rows, scales, count, stride, query, queryScale, out),
    select({ out, list }, count, floor) {
      if (count === 0) return 0
      let selected = select(out, count, floor, list)
      const rows = new Uint32Array(memory.buffer, list, selected)
      while (selected > 0 && (rows[selected - 1] as number) >= count) selected--
      return selected
    },
  }
}

/** The same in JavaScript, over any buffer. Results are equal to the last bit, since sums are integers and products round alike. */
export function plainScanner(buffer: ArrayBufferLike): Scanner {
  return {
    scan(places, count, queryScale) {
      const { stride } = places
      const rows = new Int8Array(buffer, places.rows, count * stride)
      const scales = new Float32Array(buffer, places.scales, count)
      const signs = new Uint8Array(buffer, places.query + stride, stride)
      const magnitudes = new Uint8Array(buffer, places.query, stride)
      const query = Int16Array.from(magnitudes, (magnitude, i) => (signs[i] === 0 ? magnitude : -magnitude))
      const out = new Float32Array(buffer, places.out, count)
      const scale = Math.fround(queryScale)
      for (let row = 0, at = 0; row < count; row++) {
        let sum = 0
        for (let i = 0; i < stride; i++) sum += (rows[at++] as number) * (query[i] as number)
        out[row] = Math.fround(scale * Math.fround((scales[row] as number) * Math.fround(sum)))
      }
      query.fill(0)
    },
    select(places, count, floor) {
      const out = new Float32Array(buffer, places.out, count)
      const list = new Uint32Array(buffer, places.list, count)
      const least = Math.fround(floor)
      let selected = 0
      for (let row = 0; row < count; row++) if ((out[row] as number) >= least) list[selected++] = row
      return selected
    },
  }
}

/** The bytes of scan.wat. scripts/build-scan.ts writes this line; do not edit it. */
const scanWasm =
  'AGFzbQEAAAABEwJgB39/f39/fX8AYAR/f31/AX8CDwEDZW52Bm1lbW9yeQIAAQMDAgABBxECBHNjYW4AAAZzZWxlY3QAAQrxBwKGBwQJfwR7A38DeyACQQBMBEAPCyACQQNqQQJ2IQggCCADbCEJIAhBAnQhCiAEIRQgBCADaiEWA0AgFCADav0ABAAgFP0ABAAgGf2TAiEZIBRBEGohFCAUIBZJDQALIBn9oQEhGQNAIBkhECAZIREgGSESIBkhEyAEIRQgFiEVIAAhCyALIAlqIQwgDCAJaiENIA0gCWohDiALIANqIQ8DQCAU/QAEACEXIBX9AAQAIRggC/0ABAAgGP1RIBcgEP2TAiEQIAz9AAQAIBj9USAXIBH9kwIhESAN/QAEACAY/VEgFyAS/ZMCIRIgDv0ABAAgGP1RIBcgE/2TAiETIBT9AAQQIRcgFf0ABBAhGCAL/QAEECAY/VEgFyAQ/ZMCIRAgDP0ABBAgGP1RIBcgEf2TAiERIA39AAQQIBj9USAXIBL9kwIhEiAO/QAEECAY/VEgFyAT/ZMCIRMgFP0ABCAhFyAV/QAEICEYIAv9AAQgIBj9USAXIBD9kwIhECAM/QAEICAY/VEgFyAR/ZMCIREgDf0ABCAgGP1RIBcgEv2TAiESIA79AAQgIBj9USAXIBP9kwIhEyAU/QAEMCEXIBX9AAQwIRggC/0ABDAgGP1RIBcgEP2TAiEQIAz9AAQwIBj9USAXIBH9kwIhESAN/QAEMCAY/VEgFyAS/ZMCIRIgDv0ABDAgGP1RIBcgE/2TAiETIBRBwABqIRQgFUHAAGohFSALQcAAaiELIAxBwABqIQwgDUHAAGohDSAOQcAAaiEOIAsgD0kNAAsgDyEAIBAgEf0NAAECAxAREhMEBQYHFBUWFyAQIBH9DQgJCgsYGRobDA0ODxwdHh/9rgEhECASIBP9DQABAgMQERITBAUGBxQVFhcgEiAT/Q0ICQoLGBkaGwwNDg8cHR4f/a4BIRIgECAS/Q0AAQIDBAUGBxAREhMUFRYXIBAgEv0NCAkKCwwNDg8YGRobHB0eH/2uASEQIAH9XAIAIREgASAKaiEHIAcgEf1WAgABIREgByAKaiEHIAcgEf1WAgACIREgByAKaiEHIAcgEf1WAgADIREgBf0TIBEgEP36Af3mAf3mASEQIAYgEP1aAgAAIAYgCmohByAHIBD9WgIAASAHIApqIQcgByAQ/VoCAAIgByAKaiEHIAcgEP1aAgADIAZBBGohBiABQQRqIQEgCEEBayEIIAhBAEoNAAsLZwIDfwF7IAMhBiAC/RMhBwNAIAD9AAQAIAf9Rv2kASEFIAUEQANAIAYgBCAFaGo2AgAgBkEEaiEGIAUgBUEBa3EhBSAFDQALCyAAQRBqIQAgBEEEaiEEIAQgAUkNAAsgBiADa0ECdgs='
