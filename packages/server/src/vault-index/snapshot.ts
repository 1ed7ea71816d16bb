import { Adjacency } from './adjacency.ts'
import { FactColumns } from './facts.ts'
import type { IndexParts } from './parts.ts'
import { NameIndex } from './names.ts'
import { RunOrder } from './runs.ts'
import type { Column } from './segments.ts'
import { SegmentReader, SegmentWriter } from './segments.ts'
import { TagTable } from './tag-table.ts'
import { TitleFields } from './title-fields.ts'
import { VaultIndex } from './vault-index.ts'
import { VectorBlock } from './vectors.ts'
import { WordIndex } from './words.ts'

/**
 * An index as bytes, cut into segments that are sealed one by one. Arrays are copied as they are; postings and hash
 * tables are built anew on decoding, which is quicker than reading them.
 */

const formatVersion = 3

/** Numbers and names of the head: JSON, since it is small and its names explain a broken file. */
interface Head {
  version: number
  seq: number
  slots: number
  nodes: number
  terms: number
  words: number
  names: number
  nameWords: number
  nameUses: number
  titles: number
  runs: number
  inRuns: number
  entities: number
  entityUses: number
  links: number
  kinds: string[]
  types: string[]
  relations: string[]
  vectors: { modelId: string; dims: number; rows: number }[]
}

function headOf({ seq, slotCount, parts }: VaultIndex): Head {
  const { nodes, words, runs, entities, facts, vectors } = parts
  const names = parts.names.arrays()
  return {
    version: formatVersion,
    seq,
    slots: slotCount,
    nodes: nodes.count,
    terms: words.terms.count,
    words: words.sequenceLength,
    names: names.ends.length,
    nameWords: names.terms.length,
    nameUses: names.useLists.length,
    titles: parts.titles.columns.slots.length,
    runs: runs.runs.count,
    inRuns: runs.sorted.length,
    entities: entities.count,
    entityUses: slotCount === 0 ? 0 : (parts.entityEnds[slotCount - 1] as number),
    links: parts.links.triples().length / 3,
    kinds: facts.kindCodes.names,
    types: facts.typeCodes.names,
    relations: parts.relationNames,
    vectors: vectors.map(({ modelId, dims, rowCount }) => ({ modelId, dims, rows: rowCount })),
  }
}

/** Packs the index and writes it out, `seq` included. The segments hold keyed words: they must be sealed. */
export function encodeSnapshot(index: VaultIndex): Uint8Array[] {
  index.compact()
  const out = new SegmentWriter()
  const head = headOf(index)
  const json = new TextEncoder().encode(JSON.stringify(head))
  out.write(Uint32Array.of(json.length))
  out.write(json)
  for (const column of columnsOf(index, head)) out.write(column)
  return out.finish()
}

/** In the order in which `decodeSnapshot` reads them. */
function* columnsOf({ parts }: VaultIndex, { slots, words, entityUses }: Head): Generator<Column> {
  const { arrays } = parts.facts
  yield parts.nodes.keys
  yield parts.slotNodes.subarray(0, slots)
  for (const bytes of [arrays.kinds, arrays.types, arrays.importances, arrays.archived]) yield bytes.subarray(0, slots)
  for (const times of [arrays.createdAt, arrays.occurredAt, arrays.expiresAt, arrays.supersededAt]) {
    yield times.subarray(0, slots)
  }
  yield parts.words.terms.keys
  yield parts.words.sequence.subarray(0, words)
  yield parts.words.ends.subarray(0, slots)
  yield parts.words.headerLengths.subarray(0, slots)
  yield parts.words.speakerLengths.subarray(0, slots)
  const names = parts.names.arrays()
  yield* [names.terms, names.ends, names.useLists, names.useSlots]
  const titles = parts.titles.columns
  yield* [titles.slots, titles.tagWords, titles.titleWords]
  yield parts.textTags.subarray(0, slots * 2)
  yield parts.runs.runs.keys
  yield parts.runs.runOf.subarray(0, slots)
  yield parts.runs.sorted
  yield parts.entities.keys
  yield parts.entityNumbers.subarray(0, entityUses)
  yield parts.entityEnds.subarray(0, slots)
  yield parts.links.triples()
  for (const block of parts.vectors) yield* block.columns()
}

function readHead(from: SegmentReader): Head {
  const [length = 0] = from.read(Uint32Array, 1)
  const json = new TextDecoder().decode(from.read(Uint8Array, length))
  const head = JSON.parse(json) as Head
  if (head.version !== formatVersion) from.fail(`unknown version ${head.version}`)
  return head
}

/**
 * The index that `encodeSnapshot` was given; nothing of it refers to the segments. Throws on another version of the
 * format and on segments that are missing, cut or too many; that nobody changed them, their seals must tell.
 */
export function decodeSnapshot(segments: readonly Uint8Array[]): VaultIndex {
  const from = new SegmentReader(segments)
  const head = readHead(from)
  const nodes = new TagTable(4, from.read(Uint32Array, head.nodes * 4))
  const slotNodes = from.read(Uint32Array, head.slots)
  const facts = readFacts(from, head)
  const words = new WordIndex({
    termKeys: from.read(Uint32Array, head.terms * 2),
    sequence: from.read(Uint32Array, head.words),
    ends: from.read(Uint32Array, head.slots),
    headerLengths: from.read(Uint16Array, head.slots),
    speakerLengths: from.read(Uint8Array, head.slots),
  })
  const names = new NameIndex({
    terms: from.read(Uint32Array, head.nameWords),
    ends: from.read(Uint32Array, head.names),
    useLists: from.read(Uint32Array, head.nameUses),
    useSlots: from.read(Uint32Array, head.nameUses),
  })
  const titles = new TitleFields(
    from.read(Uint32Array, head.titles),
    from.read(Uint16Array, head.titles),
    from.read(Uint16Array, head.titles),
  )
  const textTags = from.read(Uint32Array, head.slots * 2)
  const runKeys = from.read(Uint32Array, head.runs * 2)
  const runs = new RunOrder(runKeys, from.read(Int32Array, head.slots), from.read(Uint32Array, head.inRuns))
  const entities = new TagTable(2, from.read(Uint32Array, head.entities * 2))
  const entityNumbers = from.read(Uint32Array, head.entityUses)
  const entityEnds = from.read(Uint32Array, head.slots)
  const links = readLinks(from, head)
  const vectors = head.vectors.map((block) => readVectors(from, block))
  from.finish()
  const parts: IndexParts = {
    nodes,
    slotNodes,
    facts,
    words,
    names,
    titles,
    textTags,
    runs,
    entities,
    entityNumbers,
    entityEnds,
    vectors,
    links,
    relationNames: head.relations,
  }
  const index = new VaultIndex(parts)
  index.seq = head.seq
  return index
}

function readFacts(from: SegmentReader, { slots, kinds, types }: Head): FactColumns {
  const bytes = () => from.read(Uint8Array, slots)
  const times = () => from.read(Float64Array, slots)
  const arrays = {
    kinds: bytes(),
    types: bytes(),
    importances: bytes(),
    archived: bytes(),
    createdAt: times(),
    occurredAt: times(),
    expiresAt: times(),
    supersededAt: times(),
  }
  return new FactColumns(arrays, kinds, types)
}

function readLinks(from: SegmentReader, head: Head): Adjacency {
  const links = new Adjacency()
  const triples = from.read(Uint32Array, head.links * 3)
  for (let at = 0; at < triples.length; at += 3) {
    links.add(triples[at] as number, triples[at + 1] as number, triples[at + 2] as number)
  }
  return links
}

function readVectors(from: SegmentReader, { modelId, dims, rows }: Head['vectors'][number]): VectorBlock {
  const block = new VectorBlock(modelId, dims)
  const rowSlots = from.read(Uint32Array, rows)
  const scales = from.read(Float32Array, rows)
  block.reserve(rows)
  for (let row = 0; row < rows; row++) {
    block.addRow(rowSlots[row] as number, { row: from.read(Int8Array, dims), scale: scales[row] as number })
  }
  return block
}
