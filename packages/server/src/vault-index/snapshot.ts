import { columnsOf, type Column, type IndexColumns } from './columns.ts'
import { cutSegments, SegmentReader, segmentsOf } from './segments.ts'

/**
 * An index's columns as bytes, cut into segments that are sealed one by one. Arrays are copied as they are, in the order of
 * `columnsOf`.
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

const headOf = (columns: IndexColumns): Head => ({
  version: formatVersion,
  seq: columns.seq,
  slots: columns.slotNodes.length,
  nodes: columns.nodeKeys.length / 4,
  terms: columns.words.termKeys.length / 2,
  words: columns.words.sequence.length,
  names: columns.names.ends.length,
  nameWords: columns.names.terms.length,
  nameUses: columns.names.useLists.length,
  titles: columns.titles.slots.length,
  runs: columns.runKeys.length / 2,
  inRuns: columns.inRuns.length,
  entities: columns.entityKeys.length / 2,
  entityUses: columns.entityNumbers.length,
  links: columns.links.length / 3,
  kinds: columns.kinds,
  types: columns.types,
  relations: columns.relations,
  vectors: columns.vectors.map(({ modelId, dims, rowSlots }) => ({ modelId, dims, rows: rowSlots.length })),
})

/**
 * The segments of a snapshot and their number, `seq` included. They hold keyed words: they must be sealed. Each is good until
 * the next is asked for.
 */
export function encodeSnapshot(columns: IndexColumns): { count: number; segments: Generator<Uint8Array> } {
  const json = new TextEncoder().encode(JSON.stringify(headOf(columns)))
  const all: Column[] = [Uint32Array.of(json.length), json, ...columnsOf(columns)]
  return { count: segmentsOf(all.reduce((sum, { byteLength }) => sum + byteLength, 0)), segments: cutSegments(all) }
}

function readHead(from: SegmentReader): Head {
  const [length = 0] = from.read(Uint32Array, 1)
  const json = new TextDecoder().decode(from.read(Uint8Array, length))
  const head = JSON.parse(json) as Head
  if (head.version !== formatVersion) from.fail(`unknown version ${head.version}`)
  return head
}

/**
 * The columns that `encodeSnapshot` was given; nothing of them refers to the segments. Throws on another version of the
 * format and on segments that are missing, cut or too many; that nobody changed them, their seals must tell.
 */
export function decodeSnapshot(segments: readonly Uint8Array[]): IndexColumns {
  const from = new SegmentReader(segments)
  const head = readHead(from)
  const columns: IndexColumns = {
    seq: head.seq,
    kinds: head.kinds,
    types: head.types,
    relations: head.relations,
    // Each reads on where the one before it ended.
    nodeKeys: from.read(Uint32Array, head.nodes * 4),
    slotNodes: from.read(Uint32Array, head.slots),
    facts: readFacts(from, head.slots),
    words: {
      termKeys: from.read(Uint32Array, head.terms * 2),
      sequence: from.read(Uint32Array, head.words),
      ends: from.read(Uint32Array, head.slots),
      headerLengths: from.read(Uint16Array, head.slots),
      speakerLengths: from.read(Uint8Array, head.slots),
    },
    names: {
      terms: from.read(Uint32Array, head.nameWords),
      ends: from.read(Uint32Array, head.names),
      useLists: from.read(Uint32Array, head.nameUses),
      useSlots: from.read(Uint32Array, head.nameUses),
    },
    titles: {
      slots: from.read(Uint32Array, head.titles),
      tagWords: from.read(Uint16Array, head.titles),
      titleWords: from.read(Uint16Array, head.titles),
    },
    textTags: from.read(Uint32Array, head.slots * 2),
    runKeys: from.read(Uint32Array, head.runs * 2),
    runOf: from.read(Int32Array, head.slots),
    inRuns: from.read(Uint32Array, head.inRuns),
    entityKeys: from.read(Uint32Array, head.entities * 2),
    entityNumbers: from.read(Uint32Array, head.entityUses),
    entityEnds: from.read(Uint32Array, head.slots),
    links: from.read(Uint32Array, head.links * 3),
    vectors: head.vectors.map(({ modelId, dims, rows }) => ({
      modelId,
      dims,
      rowSlots: from.read(Uint32Array, rows),
      scales: from.read(Float32Array, rows),
      rows: from.read(Int8Array, rows * dims),
    })),
  }
  from.finish()
  return columns
}

function readFacts(from: SegmentReader, slots: number): IndexColumns['facts'] {
  const bytes = () => from.read(Uint8Array, slots)
  const times = () => from.read(Float64Array, slots)
  return {
    kinds: bytes(),
    types: bytes(),
    importances: bytes(),
    archived: bytes(),
    createdAt: times(),
    occurredAt: times(),
    expiresAt: times(),
    supersededAt: times(),
  }
}
