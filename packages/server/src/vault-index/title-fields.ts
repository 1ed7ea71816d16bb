import { grow } from './grow.ts'

/**
 * How many of a slot's header words are its title's and its tags'. Few slots of a vault of memories have a title:
 * columns of those slots alone, in rising order.
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

  /** Slots must come in rising order. */
  add(slot: number, tagWords: number, titleWords: number): void {
    const at = this.#count++
    this.#slots = grow(this.#slots, this.#count)
    this.#tagWords = grow(this.#tagWords, this.#count)
    this.#titleWords = grow(this.#titleWords, this.#count)
    this.#slots[at] = slot
    this.#tagWords[at] = Math.min(tagWords, 65_535)
    this.#titleWords[at] = Math.min(titleWords, 65_535)
  }

  /** Both 0 for a slot without a title. */
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
