import { grow } from './grow.ts'

/** The plain columns of an item: what a search filters and ranks by besides words and vectors. */
export interface ItemFacts {
  /** `memory`, later `note`, `task`, `turn`. */
  kind: string
  /** The memory type; for other kinds the kind again. */
  type: string
  importance: number
  archived: boolean
  createdAt: number
  occurredAt: number
  expiresAt: number | null
  supersededAt: number | null
}

/** Names as small numbers, in the order in which they came. */
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

/** The arrays of `FactColumns`, one place for each slot. Times that are not set are Infinity. */
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
