/** Compact binary forms of records. Numbers are unsigned LEB128 of at most 32 bits. */

export class ByteWriter {
  #bytes = new Uint8Array(512)
  #length = 0

  #room(extra: number): void {
    const needed = this.#length + extra
    if (needed <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2))
    grown.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = grown
  }

  byte(value: number): void {
    this.#room(1)
    this.#bytes[this.#length++] = value
  }

  number(value: number): void {
    this.#room(5)
    let rest = value >>> 0
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.#bytes[this.#length++] = rest
  }

  numbers(values: ArrayLike<number>): void {
    this.number(values.length)
    for (let i = 0; i < values.length; i++) this.number(values[i] as number)
  }

  raw(bytes: Uint8Array): void {
    this.#room(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }
}

/** Reads it back. Checks every read against the end, and throws an error that names the format. */
export class ByteReader {
  readonly #bytes: Uint8Array
  readonly #format: string
  #at = 0

  constructor(bytes: Uint8Array, format: string) {
    this.#bytes = bytes
    this.#format = format
  }

  fail(problem: string): never {
    throw new Error(`Malformed ${this.#format}: ${problem}`)
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  byte(): number {
    return this.#bytes[this.#at++] ?? this.fail('ends too early')
  }

  number(): number {
    let value = 0
    for (let shift = 0; shift <= 28; shift += 7) {
      const part = this.byte()
      value += (part & 127) * 2 ** shift
      if (part < 128) return value <= 0xffffffff ? value : this.fail('number too large')
    }
    return this.fail('number too long')
  }

  /** Numbers below `limit`, as `ByteWriter.numbers` wrote them. */
  numbers(limit: number): Uint32Array {
    const count = this.number()
    // Each number takes at least one byte, so a forged count can't make us allocate more than the input's size.
    if (count > this.left) this.fail('ends too early')
    const values = new Uint32Array(count)
    for (let i = 0; i < count; i++) {
      const value = this.number()
      if (value >= limit) this.fail('reference out of range')
      values[i] = value
    }
    return values
  }

  /** A copy, which is aligned and outlives the input. */
  raw(length: number): Uint8Array<ArrayBuffer> {
    if (length > this.left) this.fail('ends too early')
    const part = new Uint8Array(length)
    part.set(this.#bytes.subarray(this.#at, this.#at + length))
    this.#at += length
    return part
  }
}
