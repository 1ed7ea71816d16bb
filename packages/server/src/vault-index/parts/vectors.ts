import type { EntryVectors, QuantizedVector } from '../stored/entry.ts'
import { grow } from './tag-table.ts'
import type { Pieces } from '../../core/in-pieces.ts'
import { type Scanner, type ScanPlaces, placeQuery, plainScanner, wasmScanner } from './scan.ts'

/** Smaller blocks are scanned in JavaScript (0.2 ms), because each WebAssembly memory reserves gigabytes of address space. */
const wasmFromRows = 512

/** A block in a snapshot: its rows concatenated, without padding. */
export interface VectorColumns {
  modelId: string
  dims: number
  rowSlots: Uint32Array
  scales: Float32Array
  rows: Int8Array
}

/**
 * All vectors of one model in a vault, contiguous and in the order of their slots, so a search is one exact scan. Rows of removed slots
 * stay until the index is packed.
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
  #memory: WebAssembly.Memory | undefined
  #scales: Float32Array = new Float32Array(0)
  #scanner: Scanner
  #places: ScanPlaces

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
    this.#memory =
      capacity < wasmFromRows ? undefined : new WebAssembly.Memory({ initial: Math.ceil(byteLength / 65_536) })
    this.#buffer = this.#memory?.buffer ?? new ArrayBuffer(byteLength)
    const fast = this.#memory === undefined ? undefined : wasmScanner(this.#memory)
    this.#scanner = fast ?? plainScanner(this.#buffer)
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

  /** The cosines with all rows: a view, valid until the next `scan` or `add`. */
  scan(query: QuantizedVector): Float32Array {
    if (this.rowCount === 0) return new Float32Array(0)
    const { query: at, stride } = this.#places
    const parts = new Uint8Array(this.#buffer, at, 2 * stride)
    placeQuery(parts, query.row)
    this.#scanner.scan(this.#places, this.rowCount, query.scale)
    parts.fill(0)
    return new Float32Array(this.#buffer, this.#places.out, this.rowCount)
  }

  /** The rows with at least this cosine in the last scan, in order: a view, valid until the next `rowsFrom`, `scan` or `add`. */
  rowsFrom(cosine: number): Uint32Array {
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
    return this.#buffer.byteLength + this.rowSlots.byteLength
  }

  wipe(): void {
    new Uint8Array(this.#buffer).fill(0)
    this.rowSlots.fill(0)
    this.rowCount = 0
    this.liveItems = 0
  }
}
