import { grow } from './grow.ts'
import { TagTable } from './tag-table.ts'

/** No neighbour, no run. */
export const none = -1

/**
 * The order of items within one agent run (a conversation): by `occurredAt`, then as they came. Linked lists over
 * slots, since a search asks for nothing but the item before and the item after. A new item looks for its place from
 * the latest one of its run on, so that conversations cost one step an item whether they arrive forwards or backwards.
 */
export class RunOrder {
  readonly runs: TagTable
  runOf: Int32Array
  previous: Int32Array
  next: Int32Array
  /** The slot that came last into each run. */
  #latest: Int32Array

  constructor(runKeys?: Uint32Array, runOf = new Int32Array(0), previous = new Int32Array(0)) {
    this.runs = new TagTable(2, runKeys)
    this.runOf = runOf
    this.previous = previous
    this.next = new Int32Array(previous.length).fill(none)
    this.#latest = new Int32Array(this.runs.count).fill(none)
    previous.forEach((before, slot) => {
      if (before !== none) this.next[before] = slot
    })
    runOf.forEach((run, slot) => {
      if (run !== none) this.#latest[run] = slot
    })
  }

  /**
   * Puts a slot into its run (`tag` undefined: into none). `occurredAt` holds the times of all slots, this one's
   * included.
   */
  add(slot: number, tag: Uint32Array | undefined, occurredAt: Float64Array): void {
    this.runOf = grow(this.runOf, slot + 1)
    this.previous = grow(this.previous, slot + 1)
    this.next = grow(this.next, slot + 1)
    this.runOf[slot] = none
    this.previous[slot] = none
    this.next[slot] = none
    if (tag === undefined) return
    const known = this.runs.count
    const run = this.runs.add(tag)
    this.#latest = grow(this.#latest, run + 1)
    if (run === known) this.#latest[run] = none
    this.runOf[slot] = run
    const { before, after } = this.#placeOf(occurredAt[slot] as number, this.#latest[run] as number, occurredAt)
    this.#join(before, slot)
    this.#join(slot, after)
    this.#latest[run] = slot
  }

  #placeOf(atMs: number, start: number, occurredAt: Float64Array): { before: number; after: number } {
    let before = start
    let after = none
    while (before !== none && (occurredAt[before] as number) > atMs) {
      after = before
      before = this.previous[before] as number
    }
    if (before !== start || start === none) return { before, after }
    for (after = this.next[before] as number; after !== none && (occurredAt[after] as number) <= atMs;) {
      before = after
      after = this.next[before] as number
    }
    return { before, after }
  }

  #join(before: number, after: number): void {
    if (before !== none) this.next[before] = after
    if (after !== none) this.previous[after] = before
  }

  remove(slot: number): void {
    const run = this.runOf[slot] as number
    if (run === none) return
    const before = this.previous[slot] as number
    const after = this.next[slot] as number
    this.#join(before, after)
    if (this.#latest[run] === slot) this.#latest[run] = before === none ? after : before
    this.runOf[slot] = none
    this.previous[slot] = none
    this.next[slot] = none
  }

  get bytes(): number {
    return this.runs.bytes + this.runOf.byteLength * 3 + this.#latest.byteLength
  }

  wipe(): void {
    this.runs.wipe()
    for (const array of [this.runOf, this.previous, this.next, this.#latest]) array.fill(0)
  }
}
