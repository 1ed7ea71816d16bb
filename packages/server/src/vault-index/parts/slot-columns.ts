import { turnType } from './runs.ts'
import { grow } from './tag-table.ts'

/** What a search filters and ranks by besides words and vectors, in one column for each. */
export interface ItemFacts {
  /** `memory` or `note`. */
  kind: string
  /** The memory type; for other kinds the same as `kind`. */
  type: string
  importance: number
  archived: boolean
  createdAt: number
  occurredAt: number
  expiresAt: number | null
  supersededAt: number | null
}

/** Numbers names in the order of their first use. */
export class NameCodes {
  readonly names: string[]

  constructor(names: readonly string[] = []) {
    this.names = [...names]
  }

  codeOf(name: string): number {
    const known = this.names.indexOf(name)
    if (known >= 0) return known
    if (this.names.length === 255) throw new RangeError('Too many different names for one byte')
    return this.names.push(name) - 1
  }
}

/** The arrays of `FactColumns`, indexed by slot. Unset times are Infinity. */
export interface FactArrays {
  kinds: Uint8Array
  types: Uint8Array
  importances: Uint8Array
  archived: Uint8Array
  createdAt: Float64Array
  occurredAt: Float64Array
  expiresAt: Float64Array
  supersededAt: Float64Array
}

const emptyFacts = (): FactArrays => ({
  kinds: new Uint8Array(0),
  types: new Uint8Array(0),
  importances: new Uint8Array(0),
  archived: new Uint8Array(0),
  createdAt: new Float64Array(0),
  occurredAt: new Float64Array(0),
  expiresAt: new Float64Array(0),
  supersededAt: new Float64Array(0),
})

export class FactColumns {
  arrays: FactArrays
  readonly kindCodes: NameCodes
  readonly typeCodes: NameCodes

  constructor(arrays: FactArrays = emptyFacts(), kinds: readonly string[] = [], types: readonly string[] = []) {
    this.arrays = arrays
    this.kindCodes = new NameCodes(kinds)
    this.typeCodes = new NameCodes(types)
  }

  set(slot: number, facts: ItemFacts): void {
    const columns = this.arrays
    columns.kinds = grow(columns.kinds, slot + 1)
    columns.types = grow(columns.types, slot + 1)
    columns.importances = grow(columns.importances, slot + 1)
    columns.archived = grow(columns.archived, slot + 1)
    columns.createdAt = grow(columns.createdAt, slot + 1)
    columns.occurredAt = grow(columns.occurredAt, slot + 1)
    columns.expiresAt = grow(columns.expiresAt, slot + 1)
    columns.supersededAt = grow(columns.supersededAt, slot + 1)
    columns.kinds[slot] = this.kindCodes.codeOf(facts.kind)
    columns.types[slot] = this.typeCodes.codeOf(facts.type)
    columns.importances[slot] = facts.importance
    columns.archived[slot] = facts.archived ? 1 : 0
    columns.createdAt[slot] = facts.createdAt
    columns.occurredAt[slot] = facts.occurredAt
    columns.expiresAt[slot] = facts.expiresAt ?? Infinity
    columns.supersededAt[slot] = facts.supersededAt ?? Infinity
  }

  readonly isTurn = (slot: number): boolean => this.typeOf(slot) === turnType

  typeOf(slot: number): string {
    return this.typeCodes.names[this.arrays.types[slot] as number] ?? ''
  }

  get bytes(): number {
    return Object.values(this.arrays).reduce((sum: number, array: ArrayBufferView) => sum + array.byteLength, 0)
  }

  wipe(): void {
    for (const array of Object.values(this.arrays) as (Uint8Array | Float64Array)[]) array.fill(0)
  }
}

/**
 * How many header words of a slot belong to its title and its tags. Most memories have no title, so these columns only contain slots
 * that have one, in ascending order.
 */
export interface TitleColumns {
  slots: Uint32Array
  tagWords: Uint16Array
  titleWords: Uint16Array
}

const noTitles = (): TitleColumns => ({
  slots: new Uint32Array(0),
  tagWords: new Uint16Array(0),
  titleWords: new Uint16Array(0),
})

export class TitleFields {
  #slots: Uint32Array
  #tagWords: Uint16Array
  #titleWords: Uint16Array
  #count: number

  constructor({ slots, tagWords, titleWords } = noTitles()) {
    this.#slots = slots
    this.#tagWords = tagWords
    this.#titleWords = titleWords
    this.#count = slots.length
  }

  /** Slots must be added in ascending order. */
  add(slot: number, tagWords: number, titleWords: number): void {
    const at = this.#count++
    this.#slots = grow(this.#slots, this.#count)
    this.#tagWords = grow(this.#tagWords, this.#count)
    this.#titleWords = grow(this.#titleWords, this.#count)
    this.#slots[at] = slot
    this.#tagWords[at] = Math.min(tagWords, 65_535)
    this.#titleWords[at] = Math.min(titleWords, 65_535)
  }

  /** Both are 0 for a slot without a title. */
  of(slot: number): { tagWords: number; titleWords: number } {
    let low = 0
    let high = this.#count
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#slots[middle] as number) < slot) low = middle + 1
      else high = middle
    }
    if (low === this.#count || this.#slots[low] !== slot) return { tagWords: 0, titleWords: 0 }
    return { tagWords: this.#tagWords[low] as number, titleWords: this.#titleWords[low] as number }
  }

  get columns(): TitleColumns {
    return {
      slots: this.#slots.subarray(0, this.#count),
      tagWords: this.#tagWords.subarray(0, this.#count),
      titleWords: this.#titleWords.subarray(0, this.#count),
    }
  }

  get bytes(): number {
    return this.#slots.byteLength + this.#tagWords.byteLength + this.#titleWords.byteLength
  }

  wipe(): void {
    for (const column of [this.#slots, this.#tagWords, this.#titleWords]) column.fill(0)
    this.#count = 0
  }
}
