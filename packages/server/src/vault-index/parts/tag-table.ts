import type { Pieces } from '../../core/in-pieces.ts'

/** Slots of the hash table for this many keys and one more. */
function sizeFor(count: number): number {
  let size = 16
  while (size < count * 2 + 2) size *= 2
  return size
}

/** Keys between two yields. */
const stride = 8192

/**
 * Numbers keys of fixed width (64-bit tags of words and runs, 128-bit ids) from 0 in order of arrival. Uses open addressing in typed
 * arrays: a Map of strings takes ten times the memory and leaves the keys to the garbage collector.
 */
export class TagTable {
  readonly #words: number
  #keys: Uint32Array
  /** Number + 1, or 0 if free. Its length is a power of two, at most half full. */
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

  /** Builds a table from these keys and takes over the array, in pieces: 100,000 keys take 10 ms. */
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

  /** The last word of a key is random: HMAC output, or the end of a UUID. The others are mixed in against chosen ids. */
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

  /** The key's number, a new one if it is new. */
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

/** 64-bit tags as pairs of 32-bit words. Copies, because the bytes may be unaligned. */
export function tagWords(bytes: Uint8Array): Uint32Array {
  const copy = new Uint8Array(bytes)
  return new Uint32Array(copy.buffer, 0, copy.length >>> 2)
}

/** A UUID as four 32-bit words, the key of an id. Throws for anything else. */
export function idWords(uuid: string): Uint32Array {
  const hex = uuid.replaceAll('-', '')
  if (!/^[0-9a-f]{32}$/i.test(hex)) throw new TypeError('An item of the index needs a UUID')
  return Uint32Array.from([0, 8, 16, 24], (at) => Number.parseInt(hex.slice(at, at + 8), 16))
}

/** The UUID in lower case whose words begin at `at`. */
export function uuidOf(words: Uint32Array, at: number): string {
  let hex = ''
  for (let i = at; i < at + 4; i++) hex += (words[i] as number).toString(16).padStart(8, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The typed arrays that grow; each belongs to its caller. */
type Growable = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array

/**
 * Returns the same array if it is long enough, otherwise a longer copy, and wipes the old one. Grows by a quarter: these arrays are
 * large, and growing by half would cost more memory than the rarer copies save in time.
 */
export function grow<A extends Growable>(array: A, length: number): A {
  if (length <= array.length) return array
  const Constructor = array.constructor as new (length: number) => A
  const grown = new Constructor(Math.max(length, Math.ceil(array.length * 1.25), 16))
  grown.set(array)
  // The old array may contain keyed words, so don't leave them to the garbage collector.
  array.fill(0)
  return grown
}
