import type { FactArrays, TitleColumns } from '../parts/slot-columns.ts'
import type { NameArrays } from '../parts/names.ts'
import type { VectorColumns } from '../parts/vectors.ts'
import type { WordArrays } from '../parts/words.ts'

/**
 * The live items of an index as plain arrays, and their form as bytes, cut into segments that are sealed one by one. Hash tables and
 * postings are left out, because rebuilding them is faster than reading them. `entityEnds`, `words.ends` and similar arrays mark where
 * each item's part of the related column ends.
 */
export interface IndexColumns {
  /** The change number of this state. */
  seq: number
  nodeKeys: Uint32Array
  slotNodes: Uint32Array
  facts: FactArrays
  kinds: string[]
  types: string[]
  words: WordArrays
  names: NameArrays
  titles: TitleColumns
  textTags: Uint32Array
  runKeys: Uint32Array
  runOf: Int32Array
  inRuns: Uint32Array
  entityKeys: Uint32Array
  entityNumbers: Uint32Array
  entityEnds: Uint32Array
  /** (source, target, relation), oldest first. */
  links: Uint32Array
  relations: string[]
  vectors: VectorColumns[]
}

type Column = Uint8Array | Int8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array

/** In the order of a snapshot. */
function columnsOf(columns: IndexColumns): Column[] {
  const { facts, words, names, titles } = columns
  return [
    columns.nodeKeys,
    columns.slotNodes,
    facts.kinds,
    facts.types,
    facts.importances,
    facts.archived,
    facts.createdAt,
    facts.occurredAt,
    facts.expiresAt,
    facts.supersededAt,
    words.termKeys,
    words.sequence,
    words.ends,
    words.headerLengths,
    words.speakerLengths,
    names.terms,
    names.ends,
    names.useLists,
    names.useSlots,
    titles.slots,
    titles.tagWords,
    titles.titleWords,
    columns.textTags,
    columns.runKeys,
    columns.runOf,
    columns.inRuns,
    columns.entityKeys,
    columns.entityNumbers,
    columns.entityEnds,
    columns.links,
    ...columns.vectors.flatMap(({ rowSlots, scales, rows }) => [rowSlots, scales, rows]),
  ]
}

export function wipeColumns(columns: IndexColumns): void {
  for (const column of columnsOf(columns)) column.fill(0)
}

const formatVersion = 4

/** The head of a snapshot, as JSON: it is small, and the names help to understand a broken file. */
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
 * The segments of a snapshot and their number. They contain keyed words and must be sealed. Each is valid until the next is requested.
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
 * The columns that were encoded, independent of the segments' memory. Throws on another format version and on missing, truncated or
 * extra segments. Tampering must be detected by the seals.
 */
export function decodeSnapshot(segments: readonly Uint8Array[]): IndexColumns {
  const from = new SegmentReader(segments)
  const head = readHead(from)
  const columns: IndexColumns = {
    seq: head.seq,
    kinds: head.kinds,
    types: head.types,
    relations: head.relations,
    // The order matters: each continues where the previous one ended.
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

const segmentBytes = 2 * 1024 * 1024

type ColumnType<A extends Column> = { new (length: number): A; readonly BYTES_PER_ELEMENT: number }

/** The number of segments for columns of this many bytes. */
const segmentsOf = (byteLength: number): number => Math.ceil(byteLength / segmentBytes)

/** The bytes of the columns in segments, each valid until the next is requested. Little endian, like every machine that Node runs on. */
function* cutSegments(columns: Iterable<Column>): Generator<Uint8Array> {
  const open = new Uint8Array(segmentBytes)
  let length = 0
  for (const column of columns) {
    let bytes = new Uint8Array(column.buffer, column.byteOffset, column.byteLength)
    while (bytes.length > 0) {
      const part = bytes.subarray(0, segmentBytes - length)
      open.set(part, length)
      length += part.length
      bytes = bytes.subarray(part.length)
      if (length < segmentBytes) continue
      yield open
      length = 0
    }
  }
  if (length > 0) yield open.subarray(0, length)
  open.fill(0)
}

/** The snapshot is damaged or was written by another version. */
export class SnapshotError extends Error {
  constructor(problem: string) {
    super(`Malformed index snapshot: ${problem}`)
    this.name = 'SnapshotError'
  }
}

/** Throws if the segments contain less than is read, or more at `finish`. */
class SegmentReader {
  readonly #segments: readonly Uint8Array[]
  #segment = 0
  #at = 0
  #left: number

  constructor(segments: readonly Uint8Array[]) {
    this.#segments = segments
    this.#left = segments.reduce((sum, segment) => sum + segment.length, 0)
  }

  fail(problem: string): never {
    throw new SnapshotError(problem)
  }

  read<A extends Column>(Type: ColumnType<A>, length: number): A {
    // Check before allocating, so a forged length can't exhaust memory.
    if (!Number.isSafeInteger(length) || length < 0 || length * Type.BYTES_PER_ELEMENT > this.#left) {
      this.fail('ends too early')
    }
    const column = new Type(length)
    const bytes = new Uint8Array(column.buffer)
    for (let done = 0; done < bytes.length;) {
      const segment = this.#segments[this.#segment] ?? this.fail('ends too early')
      const part = segment.subarray(this.#at, this.#at + bytes.length - done)
      bytes.set(part, done)
      done += part.length
      this.#at += part.length
      if (this.#at < segment.length) continue
      this.#segment++
      this.#at = 0
    }
    this.#left -= bytes.length
    return column
  }

  finish(): void {
    if (this.#left > 0) this.fail('bytes left over')
  }
}
