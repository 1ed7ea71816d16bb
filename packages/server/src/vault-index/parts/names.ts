import { type Entry, maxNameWords } from '../stored/entry.ts'
import { grow, TagTable } from './tag-table.ts'
import type { Pieces } from '../../core/in-pieces.ts'

/**
 * The names of all items: phrases of one to six terms, and the slots that have each as title or as entity. For each name and sort
 * (title or entity) there is a linked list of slots, newest first. Dead slots stay in it until the index is packed.
 */
export type Bearing = 'title' | 'entity'

const listOf = (name: number, bearing: Bearing): number => name * 2 + (bearing === 'title' ? 0 : 1)

/** End of a list. */
const none = -1

/** Names or uses between two yields. */
const stride = 4096

export interface NameArrays {
  /** The terms of all names, concatenated, and where each name ends. */
  terms: Uint32Array
  ends: Uint32Array
  /** A use is one slot with one name, oldest first. Its list is name × 2, plus 1 for an entity. */
  useLists: Uint32Array
  useSlots: Uint32Array
}

export class NameIndex {
  /** Keys are 64-bit hashes of the terms, enough for the names of a vault. */
  readonly #phrases = new TagTable(2)
  #terms = new Uint32Array(0)
  #ends = new Uint32Array(0)
  /** Two for each name: titles, entities. */
  #latestUses = new Int32Array(0)
  #useSlots = new Uint32Array(0)
  #previousUse = new Int32Array(0)
  #useCount = 0
  /** For each term, the lengths of the names that begin with it, as bits: bit 0 is one word. */
  #lengths = new Uint8Array(0);

  /** Builds an index from `arrays()`, in pieces. */
  static *of({ terms, ends, useLists, useSlots }: NameArrays): Pieces<NameIndex> {
    const names = new NameIndex()
    for (let name = 0; name < ends.length; name++) {
      if (name % stride === 0) yield
      names.#nameOf(terms.subarray(name === 0 ? 0 : ends[name - 1], ends[name]))
    }
    for (let use = 0; use < useLists.length; use++) {
      if (use % stride === 0) yield
      names.#use(useLists[use] as number, useSlots[use] as number)
    }
    return names
  }

  get count(): number {
    return this.#phrases.count
  }

  /** Adds the names of an entry to a slot. `termOf` maps the entry's tags to terms. */
  add(slot: number, names: Entry['names'], termOf: Uint32Array, bearing: Bearing): void {
    for (const places of names) {
      this.#use(listOf(this.#nameOf(places.map((place) => termOf[place] as number)), bearing), slot)
    }
  }

  #nameOf(terms: Uint32Array): number {
    const known = this.count
    const name = this.#phrases.add(phraseKey(terms, 0, terms.length))
    if (name < known) return name
    const start = this.#startOf(name)
    this.#terms = grow(this.#terms, start + terms.length)
    this.#terms.set(terms, start)
    this.#ends = grow(this.#ends, name + 1)
    this.#ends[name] = start + terms.length
    this.#latestUses = grow(this.#latestUses, listOf(name + 1, 'title'))
    this.#latestUses.fill(none, listOf(name, 'title'))
    const first = terms[0] as number
    this.#lengths = grow(this.#lengths, first + 1)
    this.#lengths[first] = (this.#lengths[first] as number) | (1 << (terms.length - 1))
    return name
  }

  #use(list: number, slot: number): void {
    const use = this.#useCount++
    this.#useSlots = grow(this.#useSlots, use + 1)
    this.#previousUse = grow(this.#previousUse, use + 1)
    this.#useSlots[use] = slot
    this.#previousUse[use] = this.#latestUses[list] as number
    this.#latestUses[list] = use
  }

  #startOf(name: number): number {
    return name === 0 ? 0 : (this.#ends[name - 1] as number)
  }

  termsOf(name: number): Uint32Array {
    return this.#terms.subarray(this.#startOf(name), this.#ends[name])
  }

  /** Visits the slots with a name, newest first, including dead ones, until `visit` returns false. */
  eachBearer(name: number, bearing: Bearing, visit: (slot: number) => boolean): void {
    let use = this.#latestUses[listOf(name, bearing)] as number
    for (; use !== none; use = this.#previousUse[use] as number) {
      if (!visit(this.#useSlots[use] as number)) return
    }
  }

  /** Visits each name that begins at position `at` of `terms`. */
  eachNameAt(terms: Uint32Array, at: number, visit: (name: number) => void): void {
    const lengths = this.#lengths[terms[at] as number] ?? 0
    if (lengths === 0) return
    for (let length = 1; length <= maxNameWords && at + length <= terms.length; length++) {
      if ((lengths & (1 << (length - 1))) === 0) continue
      const name = this.#phrases.find(phraseKey(terms, at, length))
      if (name >= 0) visit(name)
    }
  }

  /** A copy, with uses in the order of their addition. */
  arrays(): NameArrays {
    const useLists = new Uint32Array(this.#useCount)
    for (let list = 0; list < this.count * 2; list++) {
      for (let use = this.#latestUses[list] as number; use !== none; use = this.#previousUse[use] as number) {
        useLists[use] = list
      }
    }
    return {
      terms: this.#terms.slice(0, this.#startOf(this.count)),
      ends: this.#ends.slice(0, this.count),
      useLists,
      useSlots: this.#useSlots.slice(0, this.#useCount),
    }
  }

  get bytes(): number {
    return this.#columns().reduce((sum, column) => sum + column.byteLength, this.#phrases.bytes)
  }

  #columns(): (Uint8Array | Uint32Array | Int32Array)[] {
    return [this.#terms, this.#ends, this.#latestUses, this.#useSlots, this.#previousUse, this.#lengths]
  }

  wipe(): void {
    this.#phrases.wipe()
    this.#useCount = 0
    for (const column of this.#columns()) column.fill(0)
  }
}

const key = new Uint32Array(2)

/** Two different hashes of the terms in order (murmur's finalizer after each). Valid until the next call. */
function phraseKey(terms: Uint32Array, at: number, length: number): Uint32Array {
  key[0] = 0x9e3779b9
  key[1] = 0x85ebca6b
  for (let i = at; i < at + length; i++) {
    key[0] = mix(key[0] ^ (terms[i] as number))
    key[1] = mix(Math.imul(key[1] ^ (terms[i] as number), 0x27d4eb2f) + length)
  }
  return key
}

function mix(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
