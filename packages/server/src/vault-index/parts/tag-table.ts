import type { Pieces } from '../../core/in-pieces.ts'

/**
 * Numbers for keys of fixed width (64-bit word and run tags, 128-bit ids), given out from 0 in order of arrival. Open
 * addressing over typed arrays: a Map of strings takes ten times the memory and leaves the keys to the garbage
 * collector.
 */
/** Places for so many keys, and one more. */
function sizeFor(count: number): number {
  let size = 16
  while (size < count * 2 + 2) size *= 2
  return size
}

/** Keys between two places to rest. */
const stride = 8192

export class TagTable {
  readonly #words: number
  #keys: Uint32Array
  /** Number + 1, or 0 for free. A power of two, at most half full. */
  #slots: Int32Array
  #count = 0

  /** `words`: 32-bit words in a key. */
  constructor(words: 2 | 4, keys: Uint32Array = new Uint32Array(0), count: number = keys.length / words) {
    this.#words = words
    this.#keys = keys
    this.#count = count
    this.#slots = new Int32Array(0)
    this.#rehash()
  }

  /** A table of these keys, which it takes over, in pieces: 100,000 keys take 10 ms. */
  static *of(words: 2 | 4, keys: Uint32Array): Pieces<TagTable> {
    const table = new TagTable(words)
    table.#keys = keys
    table.#slots = new Int32Array(sizeFor(keys.length / words))
    while (table.#count < keys.length / words) {
      if (table.#count % stride === 0) yield
      table.#slots[table.#place(keys, table.#count * words)] = ++table.#count
    }
    return table
  }

  get count(): number {
    return this.#count
  }

  get keys(): Uint32Array {
    return this.#keys.subarray(0, this.#count * this.#words)
  }

  get bytes(): number {
    return this.#keys.byteLength + this.#slots.byteLength
  }

  /**
   * The last word of a key is random in all of them: HMAC output, or the tail of a UUID. Others are mixed in against
   * chosen ids.
   */
  #hash(keys: Uint32Array, at: number): number {
    let hash = 0
    for (let i = 0; i < this.#words; i++) hash = Math.imul(hash ^ (keys[at + i] as number), 0x9e3779b1) ^ (hash >>> 15)
    return hash >>> 0
  }

  #place(keys: Uint32Array, at: number): number {
    const mask = this.#slots.length - 1
    let place = this.#hash(keys, at) & mask
    for (;;) {
      const held = this.#slots[place] as number
      if (held === 0 || this.#equals(held - 1, keys, at)) return place
      place = (place + 1) & mask
    }
  }

  #equals(number: number, keys: Uint32Array, at: number): boolean {
    const mine = number * this.#words
    for (let i = 0; i < this.#words; i++) if (this.#keys[mine + i] !== keys[at + i]) return false
    return true
  }

  #rehash(): void {
    this.#slots = new Int32Array(sizeFor(this.#count))
    for (let number = 0; number < this.#count; number++) {
      this.#slots[this.#place(this.#keys, number * this.#words)] = number + 1
    }
  }

  /** The key's number, or -1. */
  find(keys: Uint32Array, at = 0): number {
    return (this.#slots[this.#place(keys, at)] as number) - 1
  }

  /** The key's number; a new one for a new key. */
  add(keys: Uint32Array, at = 0): number {
    const place = this.#place(keys, at)
    const held = this.#slots[place] as number
    if (held > 0) return held - 1
    const number = this.#count++
    this.#keys = grow(this.#keys, this.#count * this.#words)
    for (let i = 0; i < this.#words; i++) this.#keys[number * this.#words + i] = keys[at + i] as number
    this.#slots[place] = number + 1
    if (this.#count * 2 > this.#slots.length) this.#rehash()
    return number
  }

  wipe(): void {
    this.#keys.fill(0)
    this.#slots.fill(0)
    this.#count = 0
  }
}

/** 64-bit tags as pairs of 32-bit words, for the table. Copies: the bytes may lie at any offset. */
export function tagWords(bytes: Uint8Array): Uint32Array {
  const copy = new Uint8Array(bytes)
  return new Uint32Array(copy.buffer, 0, copy.length >>> 2)
}

/** A UUID as four 32-bit words, as tables of ids hold it. Throws on anything else. */
export function idWords(uuid: string): Uint32Array {
  const hex = uuid.replaceAll('-', '')
  if (!/^[0-9a-f]{32}$/i.test(hex)) throw new TypeError('An item of the index needs a UUID')
  return Uint32Array.from([0, 8, 16, 24], (at) => Number.parseInt(hex.slice(at, at + 8), 16))
}

/** The lower-case UUID whose words begin at `at`. */
export function uuidOf(words: Uint32Array, at: number): string {
  let hex = ''
  for (let i = at; i < at + 4; i++) hex += (words[i] as number).toString(16).padStart(8, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The typed arrays that grow here; all are owned by their caller. */
type Growable = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array

/**
 * The same array when it is long enough, else a longer one with the same contents. Grows by a quarter: these arrays are
 * large, and half as much again would cost more memory than the rarer copies save time.
 */
export function grow<A extends Growable>(array: A, length: number): A {
  if (length <= array.length) return array
  const Constructor = array.constructor as new (length: number) => A
  const grown = new Constructor(Math.max(length, Math.ceil(array.length * 1.25), 16))
  grown.set(array)
  // What is left behind may hold keyed words: wiped at once, not when the collector comes by.
  array.fill(0)
  return grown
}
