import { Adjacency } from './adjacency.ts'
import { FactColumns } from './facts.ts'
import { NameIndex } from './names.ts'
import { none, RunOrder } from './runs.ts'
import { TagTable } from './tag-table.ts'
import { TitleFields } from './title-fields.ts'
import { VectorBlock } from './vectors.ts'
import { termMask, WordIndex } from './words.ts'

/** All that a vault index holds. Slots are states of items, nodes the permanent numbers of ids: see vault-index.ts. */
export interface IndexParts {
  nodes: TagTable
  /** Node of each slot. */
  slotNodes: Uint32Array
  facts: FactColumns
  words: WordIndex
  names: NameIndex
  titles: TitleFields
  /** Tag of each slot's exact text, two places a slot; zeros where it has none. */
  textTags: Uint32Array
  runs: RunOrder
  /** Entity tags as numbers, and those of each slot: `entityEnds[slot]` closes its part of `entityNumbers`. */
  entities: TagTable
  entityNumbers: Uint32Array
  entityEnds: Uint32Array
  vectors: VectorBlock[]
  links: Adjacency
  relationNames: string[]
}

export const emptyParts = (): IndexParts => ({
  nodes: new TagTable(4),
  slotNodes: new Uint32Array(0),
  facts: new FactColumns(),
  words: new WordIndex(),
  names: new NameIndex(),
  titles: new TitleFields(),
  textTags: new Uint32Array(0),
  runs: new RunOrder(),
  entities: new TagTable(2),
  entityNumbers: new Uint32Array(0),
  entityEnds: new Uint32Array(0),
  vectors: [],
  links: new Adjacency(),
  relationNames: [],
})

export function wipeParts(parts: IndexParts): void {
  const { nodes, facts, words, names, titles, runs, entities, links, vectors } = parts
  for (const part of [nodes, facts, words, names, titles, runs, entities, links, ...vectors]) part.wipe()
  for (const column of [parts.slotNodes, parts.entityNumbers, parts.entityEnds, parts.textTags]) column.fill(0)
}

/** New numbers, given out as old ones are met; the keys of those met, in the new order. */
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

  get keys(): Uint32Array {
    return this.#keys.slice(0, this.#count * this.#width)
  }
}

/** The same index with the live slots only, in their order, and with the keys that these and the links use. */
export function packParts(parts: IndexParts, alive: Uint8Array, slotCount: number): IndexParts {
  const live = new Uint32Array(slotCount)
  let count = 0
  for (let slot = 0; slot < slotCount; slot++) if (alive[slot] === 1) live[count++] = slot
  const slots = live.slice(0, count)
  const nodes = new Renumbering(parts.nodes, 4)
  const slotNodes = slots.map((slot) => nodes.of(parts.slotNodes[slot] as number))
  const links = packLinks(parts.links, nodes)
  const terms = new Renumbering(parts.words.terms, 2)
  // Before the words: they take the keys of all the terms that have been met.
  const names = packNames(parts.names, placesOf(slots, slotCount), terms)
  return {
    nodes: new TagTable(4, nodes.keys),
    slotNodes,
    facts: packFacts(parts.facts, slots),
    words: packWords(parts.words, slots, terms),
    names,
    titles: packTitles(parts.titles, placesOf(slots, slotCount)),
    textTags: packTextTags(parts.textTags, slots),
    runs: packRuns(parts.runs, slots, slotCount),
    ...packEntities(parts, slots),
    vectors: parts.vectors.map((block) => packVectors(block, slots, slotCount)).filter((block) => block.rowCount > 0),
    links,
    relationNames: [...parts.relationNames],
  }
}

function packLinks(links: Adjacency, nodes: Renumbering): Adjacency {
  const packed = new Adjacency()
  const triples = links.triples()
  for (let at = 0; at < triples.length; at += 3) {
    packed.add(nodes.of(triples[at] as number), nodes.of(triples[at + 1] as number), triples[at + 2] as number)
  }
  return packed
}

function packFacts(facts: FactColumns, slots: Uint32Array): FactColumns {
  const { arrays } = facts
  const bytes = (column: Uint8Array): Uint8Array => Uint8Array.from(slots, (slot) => column[slot] as number)
  const times = (column: Float64Array): Float64Array => Float64Array.from(slots, (slot) => column[slot] as number)
  const packed = {
    kinds: bytes(arrays.kinds),
    types: bytes(arrays.types),
    importances: bytes(arrays.importances),
    archived: bytes(arrays.archived),
    createdAt: times(arrays.createdAt),
    occurredAt: times(arrays.occurredAt),
    expiresAt: times(arrays.expiresAt),
    supersededAt: times(arrays.supersededAt),
  }
  return new FactColumns(packed, facts.kindCodes.names, facts.typeCodes.names)
}

function packNames(names: NameIndex, places: Int32Array, terms: Renumbering): NameIndex {
  const old = names.arrays()
  const numbers = new Int32Array(old.ends.length).fill(-1)
  const packed = { terms: [] as number[], ends: [] as number[], useLists: [] as number[], useSlots: [] as number[] }
  old.useSlots.forEach((slot, use) => {
    const place = places[slot] as number
    const list = old.useLists[use] as number
    const name = list >>> 1
    if (place < 0) return
    if (numbers[name] === -1) {
      numbers[name] = packed.ends.length
      for (const term of names.termsOf(name)) packed.terms.push(terms.of(term))
      packed.ends.push(packed.terms.length)
    }
    packed.useLists.push((numbers[name] as number) * 2 + (list & 1))
    packed.useSlots.push(place)
  })
  return new NameIndex({
    terms: Uint32Array.from(packed.terms),
    ends: Uint32Array.from(packed.ends),
    useLists: Uint32Array.from(packed.useLists),
    useSlots: Uint32Array.from(packed.useSlots),
  })
}

function packTitles(titles: TitleFields, places: Int32Array): TitleFields {
  const { slots, tagWords, titleWords } = titles.columns
  const packed = new TitleFields()
  slots.forEach((slot, i) => {
    const place = places[slot] as number
    if (place >= 0) packed.add(place, tagWords[i] as number, titleWords[i] as number)
  })
  return packed
}

function packTextTags(textTags: Uint32Array, slots: Uint32Array): Uint32Array {
  const packed = new Uint32Array(slots.length * 2)
  slots.forEach((slot, i) => packed.set(textTags.subarray(slot * 2, slot * 2 + 2), i * 2))
  return packed
}

function packWords(words: WordIndex, slots: Uint32Array, terms: Renumbering): WordIndex {
  const sequence = new Uint32Array(words.liveLength)
  const ends = new Uint32Array(slots.length)
  let length = 0
  slots.forEach((slot, i) => {
    for (let at = words.startOf(slot), end = words.ends[slot] as number; at < end; at++) {
      const word = words.sequence[at] as number
      sequence[length++] = ((word & ~termMask) | terms.of(word & termMask)) >>> 0
    }
    ends[i] = length
  })
  return new WordIndex({
    termKeys: terms.keys,
    sequence,
    ends,
    headerLengths: Uint16Array.from(slots, (slot) => words.headerLengths[slot] as number),
    speakerLengths: Uint8Array.from(slots, (slot) => words.speakerLengths[slot] as number),
  })
}

function packRuns(runs: RunOrder, slots: Uint32Array, slotCount: number): RunOrder {
  const places = placesOf(slots, slotCount)
  const numbers = new Renumbering(runs.runs, 2)
  const runOf = new Int32Array(slots.length).fill(none)
  // In this order, so that the runs' new numbers keep it.
  const sorted = runs.sorted.map((slot) => {
    const place = places[slot] as number
    runOf[place] = numbers.of(runs.runOf[slot] as number)
    return place
  })
  return new RunOrder(numbers.keys, runOf, sorted)
}

/** New place of each old slot, -1 for dead ones. */
function placesOf(slots: Uint32Array, slotCount: number): Int32Array {
  const places = new Int32Array(slotCount).fill(-1)
  slots.forEach((slot, i) => {
    places[slot] = i
  })
  return places
}

type Entities = Pick<IndexParts, 'entities' | 'entityNumbers' | 'entityEnds'>

function packEntities(parts: IndexParts, slots: Uint32Array): Entities {
  const tags = new Renumbering(parts.entities, 2)
  const numbers: number[] = []
  const entityEnds = slots.map((slot) => {
    const start = slot === 0 ? 0 : (parts.entityEnds[slot - 1] as number)
    for (let at = start; at < (parts.entityEnds[slot] as number); at++) {
      numbers.push(tags.of(parts.entityNumbers[at] as number))
    }
    return numbers.length
  })
  return { entities: new TagTable(2, tags.keys), entityNumbers: Uint32Array.from(numbers), entityEnds }
}

function packVectors(block: VectorBlock, slots: Uint32Array, slotCount: number): VectorBlock {
  const places = placesOf(slots, slotCount)
  const packed = new VectorBlock(block.modelId, block.dims)
  for (let row = 0; row < block.rowCount; row++) {
    const place = places[block.rowSlots[row] as number] as number
    if (place >= 0) packed.addRow(place, block.rowOf(row))
  }
  return packed
}
