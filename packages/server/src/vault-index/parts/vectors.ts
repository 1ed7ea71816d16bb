import type { EntryVectors, QuantizedVector } from '../stored/entry.ts'
import { grow } from './tag-table.ts'
import type { Pieces } from '../../core/in-pieces.ts'
import { RowCodes } from './row-codes.ts'
import { type Scanner, type ScanPlaces, placeQuery, plainScanner, wasmScanner } from './scan.ts'

/** Smaller blocks are scanned in JavaScript (0.2 ms), because each WebAssembly memory reserves gigabytes of address space. */
const wasmFromRows = 512

/**
 * Larger blocks also keep codes, from which cosines are estimated first. For 48,000, 96,000 and 288,000 rows of 256, that step and the exact
 * cosines of the rows it leaves take 0.5, 1.0 and 2.4 ms instead of 0.6, 1.2 and 6.1 for a question, and 0.2, 0.5 and 1.5 ms instead of
 * 0.6, 1.2 and 7.7 for a possible duplicate, whose cosine must be greater (p50, Intel Xeon).
 */
const codesFromRows = 32_768
/**
 * Rows are left out whose estimate is too low by more than this many standard deviations of its error. Of the 100 nearest of 48,000 texts to 60
 * questions, 99.87 % are left, among 6.8 % of all rows; of 288,000, 99.74 % among 2.3 %. With 2.5: 99.97 % among 8.2 %, and 99.90 % among 2.9 %.
 */
const toleratedDeviations = 2.25
/** So many are about 2 ms of work. */
const numbersPerPiece = 65_536
const numbersForCenter = 1_048_576
/** If more rows than this share may be near, all are scanned, which reads them in order. */
const maxNearShare = 0.25

/** The cosines of one query with a block's rows. Its arrays are views, valid until the next search or `add`. */
export interface CosineSearch {
  /** With all rows: exact cosines, or estimates. */
  estimates: Float32Array
  /** How far below a cosine `near` looks for estimates of it; 0 if they are exact. */
  margin: number
  /** The rows, in order, that may have at least this cosine, and others. `cosines` is exact for them. Valid until the next call. */
  near(floor: number): Uint32Array
  /** Makes `cosines` exact for these rows, too. They are asked for only if it isn't. */
  score(rows: () => ReadonlySet<number>): void
  cosines: Float32Array
}

/** A block in a snapshot: its rows concatenated, without padding. */
export interface VectorColumns {
  modelId: string
  dims: number
  rowSlots: Uint32Array
  scales: Float32Array
  rows: Int8Array
}

/**
 * All vectors of one model in a vault, contiguous and in the order of their slots, so a search is one exact scan, or two steps in a large
 * vault: estimates of all cosines, then the exact ones of the rows that may be near. Rows of removed slots stay until the index is packed.
 */
export class VectorBlock {
  readonly modelId: string
  readonly dims: number
  rowCount = 0
  /** Live items with vectors in the block. */
  liveItems = 0
  /** The slot of each row. */
  rowSlots = new Uint32Array(0)
  #capacity = 0
  #buffer: ArrayBufferLike = new ArrayBuffer(0)
  #scales: Float32Array = new Float32Array(0)
  #scanner: Scanner
  #places: ScanPlaces
  #codes: RowCodes | undefined
  #canEstimate = false

  constructor(modelId: string, dims: number) {
    this.modelId = modelId
    this.dims = dims
    this.#scanner = plainScanner(this.#buffer)
    this.#places = this.#placesFor(0)
  }

  #placesFor(capacity: number): ScanPlaces {
    const stride = Math.ceil(this.dims / 64) * 64
    const out = stride * 2
    const list = out + capacity * 4
    const scales = list + capacity * 4
    const rows = Math.ceil((scales + capacity * 4) / 64) * 64
    return { rows, scales, stride, query: 0, out, list }
  }

  /** Makes room for this many rows. Moves the data and wipes the old memory. */
  reserve(rows: number): void {
    if (rows <= this.#capacity) return
    const capacity = Math.ceil(Math.max(rows, this.#capacity * 1.25, 64) / 4) * 4
    const places = this.#placesFor(capacity)
    const old = { bytes: new Uint8Array(this.#buffer), places: this.#places }
    this.#allocate(capacity, places.rows + capacity * places.stride)
    const bytes = new Uint8Array(this.#buffer)
    const from = (at: number, length: number): Uint8Array => old.bytes.subarray(at, at + length)
    if (old.bytes.length > 0) {
      bytes.set(from(old.places.rows, this.rowCount * places.stride), places.rows)
      bytes.set(from(old.places.scales, this.rowCount * 4), places.scales)
      old.bytes.fill(0)
    }
    this.#places = places
    this.#scales = new Float32Array(this.#buffer, places.scales, capacity)
    this.#capacity = capacity
  }

  #allocate(capacity: number, byteLength: number): void {
    const memory =
      capacity < wasmFromRows ? undefined : new WebAssembly.Memory({ initial: Math.ceil(byteLength / 65_536) })
    this.#buffer = memory?.buffer ?? new ArrayBuffer(byteLength)
    const fast = memory === undefined ? undefined : wasmScanner(memory)
    this.#scanner = fast ?? plainScanner(this.#buffer)
    this.#canEstimate = fast !== undefined
  }

  /** Appends the chunks of a slot. */
  add(slot: number, { rows, scales }: EntryVectors): void {
    this.reserve(this.rowCount + scales.length)
    scales.forEach((scale, i) => this.addRow(slot, { row: rows.subarray(i * this.dims, (i + 1) * this.dims), scale }))
  }

  /** Slots must be added in ascending order. */
  addRow(slot: number, { row, scale }: QuantizedVector): void {
    this.reserve(this.rowCount + 1)
    this.rowSlots = grow(this.rowSlots, this.rowCount + 1)
    this.#row(this.rowCount).set(row)
    this.#scales[this.rowCount] = scale
    this.#codes?.add({ row, scale })
    if (this.rowCount === 0 || this.rowSlots[this.rowCount - 1] !== slot) this.liveItems++
    this.rowSlots[this.rowCount++] = slot
  }

  /** Call when a slot dies. Its rows stay. */
  forget(slot: number): void {
    if (this.firstRowOf(slot) >= 0) this.liveItems--
  }

  /** Builds a block from these columns, in pieces. */
  static *of({ modelId, dims, rowSlots, scales, rows }: VectorColumns): Pieces<VectorBlock> {
    const block = new VectorBlock(modelId, dims)
    block.reserve(rowSlots.length)
    for (let row = 0; row < rowSlots.length; row++) {
      if (row % 2048 === 0) yield
      const values = rows.subarray(row * dims, (row + 1) * dims)
      block.addRow(rowSlots[row] as number, { row: values, scale: scales[row] as number })
    }
    return block
  }

  #row(row: number): Int8Array {
    return new Int8Array(this.#buffer, this.#places.rows + row * this.#places.stride, this.dims)
  }

  /** A view of a row, valid until the next `add`. */
  rowOf(row: number): QuantizedVector {
    return { row: this.#row(row), scale: this.#scales[row] as number }
  }

  get needsCodes(): boolean {
    return this.#codes === undefined && this.rowCount >= codesFromRows && this.#canEstimate
  }

  /** Keeps codes from its end on. Rows may be added between the pieces. */
  *encode(): Pieces<void> {
    const codes = new RowCodes(this.dims, this.#center())
    const rowsPerPiece = Math.ceil(numbersPerPiece / this.dims)
    try {
      codes.reserve(this.rowCount)
      while (codes.count < this.rowCount) {
        if (codes.count % rowsPerPiece === 0) yield
        codes.add(this.rowOf(codes.count))
      }
      this.#codes = codes
    } finally {
      if (this.#codes !== codes) codes.wipe()
    }
  }

  /** The mean of some rows. */
  #center(): Float32Array {
    const center = new Float32Array(this.dims)
    const step = Math.ceil((this.rowCount * this.dims) / numbersForCenter)
    const count = Math.ceil(this.rowCount / step)
    for (let at = 0; at < this.rowCount; at += step) {
      const { row, scale } = this.rowOf(at)
      for (let i = 0; i < this.dims; i++) center[i] = (center[i] as number) + ((row[i] as number) * scale) / count
    }
    return center
  }

  /** Searches by estimates if the block has codes. */
  search(query: QuantizedVector): CosineSearch {
    const codes = this.#codes
    const cosines = new Float32Array(this.#buffer, this.#places.out, this.rowCount)
    if (codes === undefined) {
      const estimates = this.scan(query)
      return { estimates, margin: 0, cosines, near: (floor) => this.#rowsFrom(floor), score: () => {} }
    }
    const margin = toleratedDeviations * codes.error
    let isExact = false
    return {
      estimates: codes.estimate(query),
      margin,
      cosines,
      near: (floor) => {
        const rows = isExact ? [] : codes.rowsFrom(floor - margin)
        if (!isExact && rows.length <= this.rowCount * maxNearShare) return this.#score(query, rows)
        if (!isExact) this.scan(query)
        isExact = true
        return this.#rowsFrom(floor)
      },
      score: (rows) => {
        if (!isExact) this.#score(query, [...rows()])
      },
    }
  }

  /** The cosines with all rows: a view, valid until the next search or `add`. */
  scan(query: QuantizedVector): Float32Array {
    if (this.rowCount === 0) return new Float32Array(0)
    this.#withQuery(query, () => this.#scanner.scan(this.#places, this.rowCount, query.scale))
    return new Float32Array(this.#buffer, this.#places.out, this.rowCount)
  }

  /** Computes the cosines of these rows. Returns the rows: a view, valid until the next call or `#rowsFrom`. */
  #score(query: QuantizedVector, rows: ArrayLike<number>): Uint32Array {
    const list = new Uint32Array(this.#buffer, this.#places.list, rows.length)
    list.set(rows)
    this.#withQuery(query, () => this.#scanner.score(this.#places, rows.length, query.scale))
    return list
  }

  /** The query isn't kept. */
  #withQuery({ row }: QuantizedVector, work: () => void): void {
    const { query: at, stride } = this.#places
    const place = new Uint8Array(this.#buffer, at, 2 * stride)
    placeQuery(place, row)
    work()
    place.fill(0)
  }

  /** The rows with at least this cosine in the last scan, in order. */
  #rowsFrom(cosine: number): Uint32Array {
    return new Uint32Array(this.#buffer, this.#places.list, this.#scanner.select(this.#places, this.rowCount, cosine))
  }

  /** The first row of a slot, or -1. Rows are in the order of their slots. */
  firstRowOf(slot: number): number {
    let low = 0
    let high = this.rowCount
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.rowSlots[middle] as number) < slot) low = middle + 1
      else high = middle
    }
    return low < this.rowCount && this.rowSlots[low] === slot ? low : -1
  }

  /** The row of a slot that has exactly one, or -1. */
  onlyRowOf(slot: number): number {
    const row = this.firstRowOf(slot)
    return row + 1 < this.rowCount && this.rowSlots[row + 1] === slot ? -1 : row
  }

  get bytes(): number {
    return this.#buffer.byteLength + this.rowSlots.byteLength + (this.#codes?.bytes ?? 0)
  }

  wipe(): void {
    new Uint8Array(this.#buffer).fill(0)
    this.rowSlots.fill(0)
    this.#codes?.wipe()
    this.#codes = undefined
    this.rowCount = 0
    this.liveItems = 0
  }
}
