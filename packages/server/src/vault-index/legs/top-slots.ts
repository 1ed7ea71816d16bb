import type { SlotOrder } from '../parts/runs.ts'

/** Best first. */
export const byScore =
  (ties: SlotOrder) =>
  (a: { slot: number; score: number }, b: { slot: number; score: number }): number =>
    b.score - a.score || ties(a.slot, b.slot)

/** The best slots by score, in a reusable heap of fixed size. */
export class TopSlots {
  readonly #slots: Int32Array
  readonly #scores: Float64Array
  #limit: number
  #count = 0
  #ties: SlotOrder = () => 0

  constructor(capacity: number) {
    this.#slots = new Int32Array(capacity)
    this.#scores = new Float64Array(capacity)
    this.#limit = capacity
  }

  /** Empties the heap and sets its limit, at most the capacity. `ties` orders equal scores. */
  start(limit: number, ties: SlotOrder): void {
    this.#count = 0
    this.#ties = ties
    this.#limit = Math.min(limit, this.#slots.length)
  }

  get count(): number {
    return this.#count
  }

  /** Scores below it don't get in; an equal score may, by the order of ties. Callers can use it to skip work. */
  get floor(): number {
    return this.#count < this.#limit ? -Infinity : (this.#scores[0] as number)
  }

  offer(slot: number, score: number): void {
    if (this.#count < this.#limit) {
      this.#rise(this.#count++, slot, score)
    } else if (this.#below(this.#slots[0] as number, this.#scores[0] as number, slot, score)) {
      this.#sink(slot, score, this.#count)
    }
  }

  #below(slotA: number, scoreA: number, slotB: number, scoreB: number): boolean {
    return scoreA === scoreB ? this.#ties(slotA, slotB) > 0 : scoreA < scoreB
  }

  #rise(from: number, slot: number, score: number): void {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#below(slot, score, this.#slots[parent] as number, this.#scores[parent] as number)) break
      this.#move(parent, at)
      at = parent
    }
    this.#slots[at] = slot
    this.#scores[at] = score
  }

  #sink(slot: number, score: number, count: number): void {
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= count) break
      if (child + 1 < count && this.#isBelow(child + 1, child)) child++
      if (this.#below(slot, score, this.#slots[child] as number, this.#scores[child] as number)) break
      this.#move(child, at)
      at = child
    }
    this.#slots[at] = slot
    this.#scores[at] = score
  }

  #isBelow(a: number, b: number): boolean {
    return this.#below(
      this.#slots[a] as number,
      this.#scores[a] as number,
      this.#slots[b] as number,
      this.#scores[b] as number,
    )
  }

  #move(from: number, to: number): void {
    this.#slots[to] = this.#slots[from] as number
    this.#scores[to] = this.#scores[from] as number
  }

  /** Returns the slots, best first, and empties the heap. */
  take(): RankedSlot[] {
    const rising: RankedSlot[] = []
    for (let last = this.#count - 1; last >= 0; last--) {
      rising.push({ slot: this.#slots[0] as number, score: this.#scores[0] as number })
      this.#sink(this.#slots[last] as number, this.#scores[last] as number, last)
    }
    this.#count = 0
    return rising.toReversed()
  }
}

export interface RankedSlot {
  slot: number
  score: number
}
