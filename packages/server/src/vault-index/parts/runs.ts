import { grow, TagTable } from './tag-table.ts'

/** Compares two slots: negative if `a` comes first, never 0 for different slots. */
export type SlotOrder = (a: number, b: number) => number

export interface RunColumns {
  runKeys?: Uint32Array
  runOf: Int32Array
  /** The slots with a run, in order. */
  inRuns: Uint32Array
}

const emptyRuns = (): RunColumns => ({ runOf: new Int32Array(0), inRuns: new Uint32Array(0) })

/** No neighbor or no run. */
export const none = -1

/** The type of what was said or done. The other types are distilled from it. */
export const turnType = 'episodic'

/** Whether a slot is a turn. Turns and other memories of a run are neighbors only among themselves. */
export type TurnTest = (slot: number) => boolean

/**
 * Which items belong to an agent run (a conversation), and their order in it: first the turns, then what was learned. A search only needs
 * the previous and the next one, so these are columns. They are derived from one array of all items with a run, sorted by run and then by
 * the index's order. Insertion uses binary search, whatever times callers choose.
 */
export class RunOrder {
  readonly runs: TagTable
  readonly #isTurn: TurnTest
  runOf: Int32Array
  previous: Int32Array
  next: Int32Array
  #sorted: Uint32Array
  #count: number
  /** Slots added since the array was sorted, and whether any were removed. */
  #added: number[] = []
  #hasGaps = false

  /** Takes over the columns of a snapshot. */
  constructor(isTurn: TurnTest, { runKeys, runOf, inRuns }: RunColumns = emptyRuns()) {
    this.#isTurn = isTurn
    this.runs = new TagTable(2, runKeys)
    this.runOf = runOf
    this.#sorted = inRuns
    this.#count = inRuns.length
    this.previous = new Int32Array(runOf.length).fill(none)
    this.next = new Int32Array(runOf.length).fill(none)
    for (let at = 1; at < this.#count; at++) this.#join(at - 1, at)
  }

  /** The items of all runs in order, as of the last `settle`. */
  get sorted(): Uint32Array {
    return this.#sorted.subarray(0, this.#count)
  }

  /** Adds a slot to its run, or to none if `tag` is undefined. It has neighbors after the next `settle`. */
  add(slot: number, tag: Uint32Array | undefined): void {
    this.runOf = grow(this.runOf, slot + 1)
    this.previous = grow(this.previous, slot + 1)
    this.next = grow(this.next, slot + 1)
    this.previous[slot] = none
    this.next[slot] = none
    this.runOf[slot] = tag === undefined ? none : this.runs.add(tag)
    if (tag !== undefined) this.#added.push(slot)
  }

  remove(slot: number): void {
    if (this.runOf[slot] === none) return
    const before = this.previous[slot] as number
    const after = this.next[slot] as number
    if (before !== none) this.next[before] = after
    if (after !== none) this.previous[after] = before
    this.previous[slot] = none
    this.next[slot] = none
    this.runOf[slot] = none
    this.#hasGaps = true
  }

  /** Sorts in what was added and removed. Call once after a batch of changes. */
  settle(order: SlotOrder): void {
    if (this.#hasGaps) this.#closeGaps()
    if (this.#added.length > 0) this.#insert(order)
  }

  /** One pass: 0.1 ms at 100,000. */
  #closeGaps(): void {
    let count = 0
    for (let at = 0; at < this.#count; at++) {
      const slot = this.#sorted[at] as number
      if (this.runOf[slot] !== none) this.#sorted[count++] = slot
    }
    this.#count = count
    this.#added = this.#added.filter((slot) => this.runOf[slot] !== none)
    this.#hasGaps = false
  }

  /** Starts with the last one, so everything between two of them moves once. */
  #insert(order: SlotOrder): void {
    const compare: SlotOrder = (left, right) =>
      (this.runOf[left] as number) - (this.runOf[right] as number) ||
      Number(this.#isTurn(right)) - Number(this.#isTurn(left)) ||
      order(left, right)
    const added = this.#added.toSorted(compare)
    this.#added = []
    let end = this.#count
    this.#count += added.length
    this.#sorted = grow(this.#sorted, this.#count)
    for (let left = added.length; left > 0; left--) {
      const slot = added[left - 1] as number
      const place = this.#placeOf(slot, end, compare)
      this.#sorted.copyWithin(place + left, place, end)
      this.#sorted[place + left - 1] = slot
      end = place
    }
    for (const slot of added) this.#joinAround(this.#placeOf(slot, this.#count, compare))
  }

  /** The first position below `end` whose slot doesn't come before this one. */
  #placeOf(slot: number, end: number, compare: SlotOrder): number {
    let low = 0
    let high = end
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compare(this.#sorted[middle] as number, slot) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #joinAround(at: number): void {
    if (at > 0) this.#join(at - 1, at)
    if (at + 1 < this.#count) this.#join(at, at + 1)
  }

  /** Makes two positions neighbors if they are in the same run, and both turns or neither. */
  #join(at: number, after: number): void {
    const [left, right] = [this.#sorted[at] as number, this.#sorted[after] as number]
    if (this.runOf[left] !== this.runOf[right] || this.#isTurn(left) !== this.#isTurn(right)) return
    this.next[left] = right
    this.previous[right] = left
  }

  get bytes(): number {
    return this.runs.bytes + this.runOf.byteLength * 3 + this.#sorted.byteLength
  }

  wipe(): void {
    this.runs.wipe()
    for (const array of [this.runOf, this.previous, this.next, this.#sorted]) array.fill(0)
  }
}
