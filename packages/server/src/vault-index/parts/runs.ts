import { grow, TagTable } from './tag-table.ts'

/** Which of two items comes first; negative for the first of the two, and never 0 for two that differ. */
export type SlotOrder = (a: number, b: number) => number

/** No neighbour, no run. */
export const none = -1

/**
 * Memories of what happened follow one another, as the turns of a conversation do. A fact says all by itself: next to what
 * was written in the same run it would be found by words that it does not hold.
 */
export const turnType = 'episodic'

/**
 * Which items are of one agent run (a conversation), and the order of its turns. A search asks for nothing but the turn before
 * and the turn after, so these are kept as columns. They come of one array of all turns, sorted by run and then by the
 * order that the index gives: a place is found by halving, whatever times callers choose.
 */
export class RunOrder {
  readonly runs: TagTable
  runOf: Int32Array
  previous: Int32Array
  next: Int32Array
  #sorted: Uint32Array
  #count: number
  /** Slots that came since the array was sorted, and whether any left. */
  #added: number[] = []
  #hasGaps = false

  /** `sorted`: the turns, in their order. */
  constructor(runKeys?: Uint32Array, runOf: Int32Array = new Int32Array(0), sorted: Uint32Array = new Uint32Array(0)) {
    this.runs = new TagTable(2, runKeys)
    this.runOf = runOf
    this.#sorted = sorted
    this.#count = sorted.length
    this.previous = new Int32Array(runOf.length).fill(none)
    this.next = new Int32Array(runOf.length).fill(none)
    for (let at = 1; at < this.#count; at++) this.#join(at - 1, at)
  }

  /** The turns, in their order, as of the last `settle`. */
  get sorted(): Uint32Array {
    return this.#sorted.subarray(0, this.#count)
  }

  /** Puts a slot into its run (`tag` undefined: into none), where a turn has neighbours from the next `settle` on. */
  add(slot: number, tag: Uint32Array | undefined, isTurn: boolean): void {
    this.runOf = grow(this.runOf, slot + 1)
    this.previous = grow(this.previous, slot + 1)
    this.next = grow(this.next, slot + 1)
    this.previous[slot] = none
    this.next[slot] = none
    this.runOf[slot] = tag === undefined ? none : this.runs.add(tag)
    if (tag !== undefined && isTurn) this.#added.push(slot)
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

  /** Brings what came and left into order: once for all changes that come together. */
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

  /** From the last one on, so that what lies between two of them moves once. */
  #insert(order: SlotOrder): void {
    const compare: SlotOrder = (left, right) =>
      (this.runOf[left] as number) - (this.runOf[right] as number) || order(left, right)
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

  /** The first place below `end` whose slot does not come before this one. */
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

  /** Makes two places neighbours where they are of one run. */
  #join(at: number, after: number): void {
    const [left, right] = [this.#sorted[at] as number, this.#sorted[after] as number]
    if (this.runOf[left] !== this.runOf[right]) return
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
