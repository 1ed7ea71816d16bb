/** Multiplies one query with many int8 rows, in WebAssembly if the machine has SIMD, otherwise in JavaScript (12 times slower). Estimates only in WebAssembly. */

/** Offsets within a scan's memory, in bytes. */
export interface ScanPlaces {
  rows: number
  scales: number
  /** Row length in memory: a multiple of 64, padded with zeros. */
  stride: number
  /** The query's positive numbers, then the absolute values of its negative ones: `stride` bytes each, at most 127. */
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
  /** Writes the cosines of the first `count` rows in `places.list` to their places in `places.out`, each as `scan` does. */
  score(places: ScanPlaces, count: number, queryScale: number): void
}

/** Estimates cosines of rows that are kept as codes: see row-codes.ts. */
export interface Estimator {
  /** `terms`: out = base + factor × (sum × step + offset), where sum is what the table says of a row's codes. */
  estimate(places: CodePlaces, sizes: { blocks: number; parts: number }, terms: EstimateTerms): void
  select(places: CodePlaces, count: number, floor: number): number
}

/** Offsets within a memory of codes, in bytes. */
export interface CodePlaces {
  table: number
  codes: number
  /** One float32 per row. */
  factors: number
  out: number
  list: number
}

interface EstimateTerms {
  base: number
  step: number
  offset: number
}

/** Writes a query of int8 numbers to its place, which has 2 × stride bytes. */
export function placeQuery(place: Uint8Array, row: Int8Array): void {
  place.fill(0)
  const minusAt = place.length / 2
  row.forEach((value, i) => (place[value < 0 ? minusAt + i : i] = Math.abs(value)))
}

interface ScanExports {
  scan(rows: number, scales: number, count: number, stride: number, query: number, scale: number, out: number): void
  select(out: number, count: number, floor: number, list: number): number
  score(
    rows: number,
    scales: number,
    list: number,
    count: number,
    stride: number,
    query: number,
    scale: number,
    out: number,
  ): void
  estimate(...numbers: number[]): void
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

function instantiate(module: WebAssembly.Module, memory: WebAssembly.Memory): ScanExports {
  return new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as ScanExports
}

/** Undefined if WebAssembly can't run the scan. */
export function wasmScanner(memory: WebAssembly.Memory): Scanner | undefined {
  const module = scanModule()
  if (module === null) return undefined
  const { scan, select, score } = instantiate(module, memory)
  return {
    scan: ({ rows, scales, stride, query, out }, count, queryScale) =>
      scan(rows, scales, count, stride, query, queryScale, out),
    select: selectFrom(select, memory),
    score: ({ rows, scales, stride, query, out, list }, count, queryScale) =>
      score(rows, scales, list, count, stride, query, queryScale, out),
  }
}

/** Throws if WebAssembly can't run it: only where `wasmScanner` can. */
export function wasmEstimator(memory: WebAssembly.Memory): Estimator {
  const module = scanModule()
  if (module === null) throw new Error('WebAssembly has no relaxed SIMD here')
  const { estimate, select } = instantiate(module, memory)
  return {
    estimate: ({ codes, table, factors, out }, { blocks, parts }, { base, step, offset }) =>
      estimate(codes, blocks, parts, table, factors, base, step, offset, out),
    select: selectFrom(select, memory),
  }
}

/** The kernel selects from groups of four, so it may also select what lies behind `count`. */
const selectFrom =
  (select: ScanExports['select'], memory: WebAssembly.Memory) =>
  ({ out, list }: { out: number; list: number }, count: number, floor: number): number => {
    if (count === 0) return 0
    let selected = select(out, count, floor, list)
    const rows = new Uint32Array(memory.buffer, list, selected)
    while (selected > 0 && (rows[selected - 1] as number) >= count) selected--
    return selected
  }

/** The same in JavaScript, over any buffer. Results are equal to the last bit, since sums are integers and products round alike. */
export function plainScanner(buffer: ArrayBufferLike): Scanner {
  const scoreRows = (places: ScanPlaces, queryScale: number, rows: Iterable<number>) => {
    const { stride } = places
    const query = Int16Array.from(new Uint8Array(buffer, places.query, stride))
    new Uint8Array(buffer, places.query + stride, stride).forEach(
      (minus, i) => (query[i] = (query[i] as number) - minus),
    )
    const scale = Math.fround(queryScale)
    const values = new Int8Array(buffer, places.rows)
    const scales = new Float32Array(buffer, places.scales)
    const out = new Float32Array(buffer, places.out)
    for (const row of rows) {
      const start = row * stride
      let sum = 0
      for (let i = 0; i < stride; i++) sum += (values[start + i] as number) * (query[i] as number)
      out[row] = Math.fround(scale * Math.fround((scales[row] as number) * Math.fround(sum)))
    }
    query.fill(0)
  }
  return {
    scan: (places, count, queryScale) => scoreRows(places, queryScale, Array(count).keys()),
    score: (places, count, queryScale) => scoreRows(places, queryScale, new Uint32Array(buffer, places.list, count)),
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
  'AGFzbQEAAAABKgRgB39/f39/fX8AYAR/f31/AX9gCH9/f39/f31/AGAJf39/f399fX1/AAIPAQNlbnYGbWVtb3J5AgABAwUEAAECAwckBARzY2FuAAAGc2VsZWN0AAEFc2NvcmUAAghlc3RpbWF0ZQADCqgQBMQIBAl/CHsCfwN7IAJBAEwEQA8LIAJBA2pBAnYhCCAIIANsIQkgCEECdCEKA0D9DAAAAAAAAAAAAAAAAAAAAAAhECAQIREgECESIBAhEyAQIRQgECEVIBAhFiAQIRcgBCEYIAQgA2ohGSAAIQsgCyAJaiEMIAwgCWohDSANIAlqIQ4gCyADaiEPA0AgGP0ABAAhGiAZ/QAEACEbIAv9AAQAIRwgHCAaIBD9kwIhECAcIBsgFP2TAiEUIAz9AAQAIRwgHCAaIBH9kwIhESAcIBsgFf2TAiEVIA39AAQAIRwgHCAaIBL9kwIhEiAcIBsgFv2TAiEWIA79AAQAIRwgHCAaIBP9kwIhEyAcIBsgF/2TAiEXIBj9AAQQIRogGf0ABBAhGyAL/QAEECEcIBwgGiAQ/ZMCIRAgHCAbIBT9kwIhFCAM/QAEECEcIBwgGiAR/ZMCIREgHCAbIBX9kwIhFSAN/QAEECEcIBwgGiAS/ZMCIRIgHCAbIBb9kwIhFiAO/QAEECEcIBwgGiAT/ZMCIRMgHCAbIBf9kwIhFyAY/QAEICEaIBn9AAQgIRsgC/0ABCAhHCAcIBogEP2TAiEQIBwgGyAU/ZMCIRQgDP0ABCAhHCAcIBogEf2TAiERIBwgGyAV/ZMCIRUgDf0ABCAhHCAcIBogEv2TAiESIBwgGyAW/ZMCIRYgDv0ABCAhHCAcIBogE/2TAiETIBwgGyAX/ZMCIRcgGP0ABDAhGiAZ/QAEMCEbIAv9AAQwIRwgHCAaIBD9kwIhECAcIBsgFP2TAiEUIAz9AAQwIRwgHCAaIBH9kwIhESAcIBsgFf2TAiEVIA39AAQwIRwgHCAaIBL9kwIhEiAcIBsgFv2TAiEWIA79AAQwIRwgHCAaIBP9kwIhEyAcIBsgF/2TAiEXIBhBwABqIRggGUHAAGohGSALQcAAaiELIAxBwABqIQwgDUHAAGohDSAOQcAAaiEOIAsgD0kNAAsgECAU/bEBIRAgESAV/bEBIREgEiAW/bEBIRIgEyAX/bEBIRMgDyEAIBAgEf0NAAECAxAREhMEBQYHFBUWFyAQIBH9DQgJCgsYGRobDA0ODxwdHh/9rgEhECASIBP9DQABAgMQERITBAUGBxQVFhcgEiAT/Q0ICQoLGBkaGwwNDg8cHR4f/a4BIRIgECAS/Q0AAQIDBAUGBxAREhMUFRYXIBAgEv0NCAkKCwwNDg8YGRobHB0eH/2uASEQIAH9XAIAIREgASAKaiEHIAcgEf1WAgABIREgByAKaiEHIAcgEf1WAgACIREgByAKaiEHIAcgEf1WAgADIREgBf0TIBEgEP36Af3mAf3mASEQIAYgEP1aAgAAIAYgCmohByAHIBD9WgIAASAHIApqIQcgByAQ/VoCAAIgByAKaiEHIAcgEP1aAgADIAZBBGohBiABQQRqIQEgCEEBayEIIAhBAEoNAAsLZwIDfwF7IAMhBiAC/RMhBwNAIAD9AAQAIAf9Rv2kASEFIAUEQANAIAYgBCAFaGo2AgAgBkEEaiEGIAUgBUEBa3EhBSAFDQALCyAAQRBqIQAgBEEEaiEEIAQgAUkNAAsgBiADa0ECdgvYAQIFfwJ7IAIgA0ECdGohCCADRQRADwsDQCACKAIAIQkgACAJIARsaiEKIAogBGohCyAFIQz9DAAAAAAAAAAAAAAAAAAAAAAhDSANIQ4DQCAK/QAEACAM/QAEACAN/ZMCIQ0gCv0ABAAgDCAEav0ABAAgDv2TAiEOIAxBEGohDCAKQRBqIQogCiALSQ0ACyANIA79sQEhDSAHIAlBAnRqIAYgASAJQQJ0aioCACAN/RsAIA39GwFqIA39GwIgDf0bA2pqspSUOAIAIAJBBGohAiACIAhJDQALC50FAgJ/DHv9DA8PDw8PDw8PDw8PDw8PDw8hEv0M/wD/AP8A/wD/AP8A/wD/ACETIAX9EyEUIAb9EyEVIAf9EyEWIAFBAEwEQA8LA0D9DAAAAAAAAAAAAAAAAAAAAAAhDiAOIQ8gDiEQIA4hESADIQogACACQQR0aiEJA0AgAP0ABAAhCyAK/QAEACEMIAwgCyAS/U79gAIhDSAOIA0gE/1O/Y4BIQ4gDyANQQj9jQH9jgEhDyAMIAtBBP1t/YACIQ0gECANIBP9Tv2OASEQIBEgDUEI/Y0B/Y4BIREgAEEQaiEAIApBEGohCiAAIAlJDQALIA4gD/0NAAEQEQIDEhMEBRQVBgcWFyENIAggFCAE/QAEACAWIBUgDf2pAf37Af3mAf3kAf3mAf3kAf0LBAAgCCAUIAT9AAQQIBYgFSAN/aoB/fsB/eYB/eQB/eYB/eQB/QsEECAOIA/9DQgJGBkKCxobDA0cHQ4PHh8hDSAIIBQgBP0ABCAgFiAVIA39qQH9+wH95gH95AH95gH95AH9CwQgIAggFCAE/QAEMCAWIBUgDf2qAf37Af3mAf3kAf3mAf3kAf0LBDAgECAR/Q0AARARAgMSEwQFFBUGBxYXIQ0gCCAUIAT9AARAIBYgFSAN/akB/fsB/eYB/eQB/eYB/eQB/QsEQCAIIBQgBP0ABFAgFiAVIA39qgH9+wH95gH95AH95gH95AH9CwRQIBAgEf0NCAkYGQoLGhsMDRwdDg8eHyENIAggFCAE/QAEYCAWIBUgDf2pAf37Af3mAf3kAf3mAf3kAf0LBGAgCCAUIAT9AARwIBYgFSAN/aoB/fsB/eYB/eQB/eYB/eQB/QsEcCAIQYABaiEIIARBgAFqIQQgAUEBayEBIAENAAsL'
