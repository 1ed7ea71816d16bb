import type { Column } from './columns.ts'

/**
 * A run of bytes cut into segments, and typed arrays written to and read from it. Little endian, as every machine that
 * Node runs on today.
 */

const segmentBytes = 2 * 1024 * 1024

type ColumnType<A extends Column> = { new (length: number): A; readonly BYTES_PER_ELEMENT: number }

/** How many segments columns of so many bytes make. */
export const segmentsOf = (byteLength: number): number => Math.ceil(byteLength / segmentBytes)

/** The columns' bytes, cut; each segment is good until the next is asked for. */
export function* cutSegments(columns: Iterable<Column>): Generator<Uint8Array> {
  const open = new Uint8Array(segmentBytes)
  let length = 0
  for (const column of columns) {
    let bytes = new Uint8Array(column.buffer, column.byteOffset, column.byteLength)
    while (bytes.length > 0) {
      const part = bytes.subarray(0, segmentBytes - length)
      open.set(part, length)
      length += part.length
      bytes = bytes.subarray(part.length)
      if (length < segmentBytes) continue
      yield open
      length = 0
    }
  }
  if (length > 0) yield open.subarray(0, length)
  open.fill(0)
}

/** Bytes that no snapshot of this version has: damaged, or written by another version. */
export class SnapshotError extends Error {
  constructor(problem: string) {
    super(`Malformed index snapshot: ${problem}`)
    this.name = 'SnapshotError'
  }
}

/** Throws where the segments hold less, or at `finish` more, than was asked for. */
export class SegmentReader {
  readonly #segments: readonly Uint8Array[]
  #segment = 0
  #at = 0
  #left: number

  constructor(segments: readonly Uint8Array[]) {
    this.#segments = segments
    this.#left = segments.reduce((sum, segment) => sum + segment.length, 0)
  }

  fail(problem: string): never {
    throw new SnapshotError(problem)
  }

  read<A extends Column>(Type: ColumnType<A>, length: number): A {
    // Checked before memory is reserved: a forged length must not be able to exhaust it.
    if (!Number.isSafeInteger(length) || length < 0 || length * Type.BYTES_PER_ELEMENT > this.#left) {
      this.fail('ends too early')
    }
    const column = new Type(length)
    const bytes = new Uint8Array(column.buffer)
    for (let done = 0; done < bytes.length;) {
      const segment = this.#segments[this.#segment] ?? this.fail('ends too early')
      const part = segment.subarray(this.#at, this.#at + bytes.length - done)
      bytes.set(part, done)
      done += part.length
      this.#at += part.length
      if (this.#at < segment.length) continue
      this.#segment++
      this.#at = 0
    }
    this.#left -= bytes.length
    return column
  }

  finish(): void {
    if (this.#left > 0) this.fail('bytes left over')
  }
}
