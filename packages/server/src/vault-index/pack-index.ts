import type { IndexColumns } from './stored/snapshot.ts'
import type { FactArrays, FactColumns, TitleColumns, TitleFields } from './parts/slot-columns.ts'
import type { Pieces } from '../core/in-pieces.ts'
import type { NameArrays, NameIndex } from './parts/names.ts'
import type { IndexParts } from './parts/parts.ts'
import { none } from './parts/runs.ts'
import type { TagTable } from './parts/tag-table.ts'
import type { VaultIndex } from './vault-index.ts'
import type { VectorBlock, VectorColumns } from './parts/vectors.ts'
import { termMask, wordStride, type WordArrays } from './parts/words.ts'

/** Items between two yields: 1 to 3 ms of work. */
const stride = 4096

/** Assigns new numbers in the order in which old ones are used, and collects their keys in that order. */
class Renumbering {
  readonly #table: TagTable
  readonly #width: number
  readonly #numbers: Int32Array
  #keys: Uint32Array
  #count = 0

  constructor(table: TagTable, width: 2 | 4) {
    this.#table = table
    this.#width = width
    this.#numbers = new Int32Array(table.count).fill(-1)
    this.#keys = new Uint32Array(table.count * width)
  }

  of(old: number): number {
    const known = this.#numbers[old] as number
    if (known >= 0) return known
    const key = this.#table.keys.subarray(old * this.#width, (old + 1) * this.#width)
    this.#keys.set(key, this.#count * this.#width)
    this.#numbers[old] = this.#count
    return this.#count++
  }

  /** Call once after all numbers were used. Wipes the working copy. */
  takeKeys(): Uint32Array {
    const keys = this.#keys.slice(0, this.#count * this.#width)
    this.#keys.fill(0)
    return keys
  }
}

/** The slots that are kept, and the new place of each old slot, or -1. */
interface Kept {
  slots: Uint32Array
  places: Int32Array
}

function keptOf({ alive, slotCount }: VaultIndex): Kept {
  const slots = new Uint32Array(slotCount)
  const places = new Int32Array(slotCount).fill(-1)
  let count = 0
  for (let slot = 0; slot < slotCount; slot++) {
    if (alive[slot] !== 1) continue
    places[slot] = count
    slots[count++] = slot
  }
  return { slots: slots.slice(0, count), places }
}

/**
 * A packed copy of the index in its current state: the live slots in order, and only the keys that they and the links use. The index may
 * take in changes between the pieces: slots are only added and never change, and everything else (live slots, runs, links) is copied in
 * the first piece. Later slots are left out. Each piece gets the arrays again, because an array that has grown was wiped.
 */
export function* packIndex(index: VaultIndex): Pieces<IndexColumns> {
  const { parts, seq } = index
  const kept = keptOf(index)
  const nodes = new Renumbering(parts.nodes, 4)
  const terms = new Renumbering(parts.words.terms, 2)
  const links = parts.links.triples()
  const sorted = parts.runs.sorted.slice()
  const runs = packRuns(parts, sorted, kept)
  const relations = [...parts.relationNames]
  const blocks = parts.vectors.map((block) => ({ block, rowCount: block.rowCount }))
  yield
  const slotNodes = yield* mapSlots(kept, new Uint32Array(kept.slots.length), (slot) =>
    nodes.of(parts.slotNodes[slot] as number),
  )
  yield* packLinks(links, nodes)
  const facts = yield* packFacts(parts.facts, kept)
  const words = yield* packWords(parts, kept, terms)
  yield
  const names = yield* packNames(parts.names, kept, terms)
  yield
  const titles = packTitles(parts.titles, kept)
  const textTags = yield* packTextTags(parts, kept)
  const entities = yield* packEntities(parts, kept)
  const vectors: VectorColumns[] = []
  for (const each of blocks) vectors.push(yield* packVectors(each.block, each.rowCount, kept))
  return {
    seq,
    nodeKeys: nodes.takeKeys(),
    slotNodes,
    facts,
    kinds: [...parts.facts.kindCodes.names],
    types: [...parts.facts.typeCodes.names],
    words: { ...words, termKeys: terms.takeKeys() },
    names,
    titles,
    textTags,
    ...runs,
    ...entities,
    links,
    relations,
    vectors: vectors.filter(({ rowSlots }) => rowSlots.length > 0),
  }
}

/** Fills `column` with the values of the kept slots. */
function* mapSlots<A extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(
  { slots }: Kept,
  column: A,
  valueOf: (slot: number) => number,
): Pieces<A> {
  for (let i = 0; i < slots.length; i++) {
    if (i % stride === 0) yield
    column[i] = valueOf(slots[i] as number)
  }
  return column
}

/** In place. */
function* packLinks(links: Uint32Array, nodes: Renumbering): Pieces<void> {
  for (let at = 0; at < links.length; at += 3) {
    if (at % (stride * 3) === 0) yield
    links[at] = nodes.of(links[at] as number)
    links[at + 1] = nodes.of(links[at + 1] as number)
  }
}

function* packFacts(facts: FactColumns, kept: Kept): Pieces<FactArrays> {
  const bytes = (name: 'kinds' | 'types' | 'importances' | 'archived') =>
    mapSlots(kept, new Uint8Array(kept.slots.length), (slot) => facts.arrays[name][slot] as number)
  const times = (name: 'createdAt' | 'occurredAt' | 'expiresAt' | 'supersededAt') =>
    mapSlots(kept, new Float64Array(kept.slots.length), (slot) => facts.arrays[name][slot] as number)
  return {
    kinds: yield* bytes('kinds'),
    types: yield* bytes('types'),
    importances: yield* bytes('importances'),
    archived: yield* bytes('archived'),
    createdAt: yield* times('createdAt'),
    occurredAt: yield* times('occurredAt'),
    expiresAt: yield* times('expiresAt'),
    supersededAt: yield* times('supersededAt'),
  }
}

function* packWords({ words }: IndexParts, kept: Kept, terms: Renumbering): Pieces<Omit<WordArrays, 'termKeys'>> {
  let length = 0
  const ends = yield* mapSlots(kept, new Uint32Array(kept.slots.length), (slot) => (length += words.lengthOf(slot)))
  const sequence = new Uint32Array(length)
  for (let i = 0, to = 0, restAt = 0; i < kept.slots.length; i++) {
    if (to >= restAt) {
      yield
      restAt = to + wordStride
    }
    const slot = kept.slots[i] as number
    for (let at = words.startOf(slot), end = words.ends[slot] as number; at < end; at++) {
      const word = words.sequence[at] as number
      sequence[to++] = ((word & ~termMask) | terms.of(word & termMask)) >>> 0
    }
  }
  const count = kept.slots.length
  const headerLengths = yield* mapSlots(kept, new Uint16Array(count), (slot) => words.headerLengths[slot] as number)
  const speakerLengths = yield* mapSlots(kept, new Uint8Array(count), (slot) => words.speakerLengths[slot] as number)
  return { sequence, ends, headerLengths, speakerLengths }
}

function* packNames(index: NameIndex, { places }: Kept, terms: Renumbering): Pieces<NameArrays> {
  const old = index.arrays()
  const numbers = new Int32Array(old.ends.length).fill(-1)
  const names = { terms: new Uint32Array(old.terms.length), ends: new Uint32Array(old.ends.length), count: 0, words: 0 }
  const uses = { lists: old.useLists, slots: old.useSlots, count: 0 }
  for (let use = 0; use < old.useSlots.length; use++) {
    if (use % stride === 0) yield
    const place = places[old.useSlots[use] as number] ?? -1
    const list = old.useLists[use] as number
    const name = list >>> 1
    if (place < 0) continue
    if (numbers[name] === -1) {
      const start = name === 0 ? 0 : (old.ends[name - 1] as number)
      for (let at = start; at < (old.ends[name] as number); at++) {
        names.terms[names.words++] = terms.of(old.terms[at] as number)
      }
      names.ends[names.count] = names.words
      numbers[name] = names.count++
    }
    uses.lists[uses.count] = (numbers[name] as number) * 2 + (list & 1)
    uses.slots[uses.count++] = place
  }
  return {
    terms: names.terms.slice(0, names.words),
    ends: names.ends.slice(0, names.count),
    useLists: uses.lists.slice(0, uses.count),
    useSlots: uses.slots.slice(0, uses.count),
  }
}

function packTitles(titles: TitleFields, { places }: Kept): TitleColumns {
  const { slots, tagWords, titleWords } = titles.columns
  const isKept = (_: number, i: number): boolean => (places[slots[i] as number] ?? -1) >= 0
  return {
    slots: slots.filter(isKept).map((slot) => places[slot] as number),
    tagWords: tagWords.filter(isKept),
    titleWords: titleWords.filter(isKept),
  }
}

function* packTextTags(parts: IndexParts, { slots }: Kept): Pieces<Uint32Array> {
  const packed = new Uint32Array(slots.length * 2)
  for (let i = 0; i < slots.length; i++) {
    if (i % stride === 0) yield
    const slot = slots[i] as number
    packed[i * 2] = parts.textTags[slot * 2] as number
    packed[i * 2 + 1] = parts.textTags[slot * 2 + 1] as number
  }
  return packed
}

/** Numbers runs in their order, which preserves it. */
function packRuns({ runs }: IndexParts, sorted: Uint32Array, { slots, places }: Kept) {
  const numbers = new Renumbering(runs.runs, 2)
  const runOf = new Int32Array(slots.length).fill(none)
  const inRuns = sorted.map((slot) => {
    const place = places[slot] as number
    runOf[place] = numbers.of(runs.runOf[slot] as number)
    return place
  })
  return { runKeys: numbers.takeKeys(), runOf, inRuns }
}

function* packEntities(parts: IndexParts, kept: Kept) {
  const tags = new Renumbering(parts.entities, 2)
  const startOf = (slot: number): number => (slot === 0 ? 0 : (parts.entityEnds[slot - 1] as number))
  let length = 0
  const entityEnds = yield* mapSlots(
    kept,
    new Uint32Array(kept.slots.length),
    (slot) => (length += (parts.entityEnds[slot] as number) - startOf(slot)),
  )
  const entityNumbers = new Uint32Array(length)
  for (let i = 0, to = 0; i < kept.slots.length; i++) {
    if (i % stride === 0) yield
    const slot = kept.slots[i] as number
    for (let at = startOf(slot); at < (parts.entityEnds[slot] as number); at++) {
      entityNumbers[to++] = tags.of(parts.entityNumbers[at] as number)
    }
  }
  return { entityKeys: tags.takeKeys(), entityNumbers, entityEnds }
}

function* packVectors(block: VectorBlock, rowCount: number, { places }: Kept): Pieces<VectorColumns> {
  const { modelId, dims } = block
  const live = block.rowSlots.slice(0, rowCount).filter((slot) => (places[slot] ?? -1) >= 0).length
  const packed = { rowSlots: new Uint32Array(live), scales: new Float32Array(live), rows: new Int8Array(live * dims) }
  for (let row = 0, to = 0; row < rowCount; row++) {
    if (row % stride === 0) yield
    const place = places[block.rowSlots[row] as number] ?? -1
    if (place < 0) continue
    const { row: values, scale } = block.rowOf(row)
    packed.rowSlots[to] = place
    packed.scales[to] = scale
    packed.rows.set(values, to++ * dims)
  }
  return { modelId, dims, ...packed }
}
